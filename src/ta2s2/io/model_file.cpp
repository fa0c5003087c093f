#include "ta2s2/io/model_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormatName = "ta2s2-model";
constexpr std::array<const char*, kNumImpossible> kImpossibleNames = {"possible", "outside_box",
                                                                      "not_positive_definite", "not_finite"};

// ---- to JSON ----

Json to_json(const Vector& vector) {
  return Json(std::vector<double>(vector.begin(), vector.end()));
}

// One array per column.
Json columns_to_json(const Matrix& matrix) {
  Json columns = Json::array();
  for (const auto& column : matrix.colwise()) columns.push_back(Json::array_t(column.begin(), column.end()));
  return columns;
}

Json data_to_json(const OutputRuns& data) {
  return {{"fingerprint", data.fingerprint()},
          {"input_names", data.input_names()},
          {"output_name", data.output_name()},
          {"inputs", columns_to_json(data.inputs().transpose())},
          {"output", to_json(data.output())}};
}

Json scaling_to_json(const Scaling& scaling) {
  return {{"low", to_json(scaling.low())},
          {"width", to_json(scaling.width())},
          {"output_mean", scaling.output_mean()},
          {"output_sd", scaling.output_sd()}};
}

Json settings_to_json(const FitOptions& options) {
  Json settings = Json::object();
  for (const Setting& setting : recorded_settings(options)) settings[setting.name] = setting.text;
  return settings;
}

Json sample_to_json(const PosteriorSample& sample) {
  Json json = {{"names", sample.names},
               {"positions", columns_to_json(sample.positions)},
               {"weights", to_json(sample.weights)},
               {"energies", to_json(sample.energies)}};
  if (sample.lineage.is_known()) {
    json["families"] = sample.lineage.families;
    json["group_begin"] = sample.lineage.group_begin;
  }
  return json;
}

Json history_to_json(const RunHistory& history) {
  return {{"batches", history.batches},
          {"fit_evaluations", history.fit_evaluations},
          {"update_evaluations", history.update_evaluations},
          {"log_evidence_increment", history.log_evidence_increment},
          {"log_evidence_increment_error", history.log_evidence_increment_error}};
}

Json mode_to_json(const Mode& mode) {
  return {{"position", to_json(mode.position)},
          {"energy", mode.energy},
          {"weight", mode.weight},
          {"mean", to_json(mode.mean)},
          {"sd", to_json(mode.sd)},
          {"group_weights", mode.group_weights},
          {"effective_sample_size", mode.effective_sample_size}};
}

Json part_to_json(const PartTally& part) {
  return {{"name", part.name},
          {"steps", part.steps},
          {"moved", part.moved},
          {"evaluations", part.evaluations},
          {"squared_jump", part.squared_jump}};
}

Json level_to_json(const LevelSummary& level) {
  Json impossible = Json::object();
  for (std::size_t i = 1; i < kImpossibleNames.size(); ++i) impossible[kImpossibleNames[i]] = level.impossible[i];
  Json parts = Json::array();
  for (const PartTally& part : level.parts) parts.push_back(part_to_json(part));
  return {{"level", level.level},
          {"inverse_temperature", level.beta},
          {"effective_sample_size", level.effective_sample_size},
          {"log_mean_weight", level.log_mean_weight},
          {"log_mean_weight_error", level.log_mean_weight_error},
          {"walk_scale", level.walk_scale},
          {"mixture_components", level.mixture_components},
          {"num_chains", level.num_chains},
          {"num_states", level.num_states},
          {"evaluations", level.evaluations},
          {"impossible", impossible},
          {"moves", parts},
          {"mean_energy", level.mean_energy},
          {"sd_energy", level.sd_energy}};
}

Json diagnostics_to_json(const std::vector<CoordinateDiagnostics>& diagnostics) {
  Json array = Json::array();
  for (const CoordinateDiagnostics& d : diagnostics) {
    array.push_back({{"name", d.name},
                     {"effective_sample_size", d.effective_sample_size},
                     {"mass_near_low", d.mass_near_low},
                     {"mass_near_high", d.mass_near_high}});
    if (d.r_hat) array.back()["r_hat"] = *d.r_hat;
  }
  return array;
}

Json evidence_to_json(const Evidence& evidence) {
  return {{"log_evidence", evidence.log_evidence},
          {"standard_error", evidence.standard_error},
          {"is_normalised", evidence.is_normalised},
          {"by_group", evidence.by_group}};
}

Json check_to_json(const RunComparison& check) {
  Json quantities = Json::array();
  for (const ComparedQuantity& q : check.quantities) {
    quantities.push_back({{"name", q.name}, {"first", q.first}, {"second", q.second}, {"error", q.error}});
  }
  return {{"seed", check.seed}, {"modes", check.num_modes}, {"quantities", quantities}};
}

// Times stand together, so that two runs of one seed can be compared by leaving out one object.
Json times_to_json(const MemberRecord& record) {
  Json levels = Json::array();
  for (const LevelSummary& level : record.levels) levels.push_back(level.seconds);
  return {{"created", record.times.created}, {"total_seconds", record.times.total_seconds}, {"level_seconds", levels}};
}

template <typename Item, typename Convert>
Json array_of(const std::vector<Item>& items, Convert convert) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(convert(item));
  return array;
}

// But for its times.
Json fit_to_json(const MemberRecord& record) {
  Json json = {{"program_version", record.version},
               {"settings", settings_to_json(record.options)},
               {"notices", record.notices},
               {"evidence", evidence_to_json(record.evidence.value_or(Evidence{}))},
               {"diagnostics", diagnostics_to_json(record.diagnostics)},
               {"map", {{"position", to_json(record.map.position)}, {"energy", record.map.energy}}},
               {"modes", array_of(record.modes, mode_to_json)},
               {"scaling", scaling_to_json(record.scaling)},
               {"levels", array_of(record.levels, level_to_json)},
               {"data", data_to_json(record.data)},
               {"sample", sample_to_json(record.sample)}};
  if (!record.evidence) json.erase("evidence");
  if (record.check) json["check"] = check_to_json(*record.check);
  if (record.prior_runs > 0) json["prior_runs"] = record.prior_runs;
  if (record.history) json["history"] = history_to_json(*record.history);
  return json;
}

// NaN, of which JSON knows nothing, is null.
Json numbers_or_null(const Vector& numbers) {
  Json array = Json::array();
  for (const double number : numbers) array.push_back(std::isnan(number) ? Json() : Json(number));
  return array;
}

Json left_out_to_json(const LeftOutFacts& facts) {
  return {{"draws", facts.num_draws},
          {"mean", numbers_or_null(facts.mean)},
          {"sd", numbers_or_null(facts.sd)},
          {"pit", numbers_or_null(facts.pit)},
          {"crps", numbers_or_null(facts.crps)},
          {"k_hat", numbers_or_null(facts.k_hat)}};
}

Json header_json(int format_version) {
  return {{"format", kFormatName}, {"format_version", format_version}};
}

Json document_of(const MemberRecord& record, const std::optional<LeftOutFacts>& facts) {
  Json document = header_json(facts ? 3 : 1), fit = fit_to_json(record);
  for (auto& [key, value] : fit.items()) document[key] = std::move(value);  // update() would copy the sample
  if (facts) document["left_out"] = left_out_to_json(*facts);
  document["times"] = times_to_json(record);
  return document;
}

Json document_of(const EmulatorRecord& model) {
  const bool has_facts = std::any_of(model.outputs.begin(), model.outputs.end(),
                                     [](const OutputRecord& output) { return output.left_out.has_value(); });
  Json document = header_json(has_facts ? 3 : 2), times = Json::array();
  document["program_version"] = model.outputs.front().members.front().version;
  for (const OutputRecord& output : model.outputs) {
    document["outputs"].push_back({{"name", output.name()},
                                   {"weighting", output.weighting},
                                   {"weights", output.weights},
                                   {"models", array_of(output.members, fit_to_json)}});
    if (output.left_out) document["outputs"].back()["left_out"] = left_out_to_json(*output.left_out);
    for (const MemberRecord& fit : output.members) times.push_back(times_to_json(fit));
  }
  document["times"] = times;
  return document;
}

// A path in another encoding than UTF-8 must not stop a model from being written.
std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A key of the document and its value, as text: numbers are turned into digits once.
struct Part {
  std::string key, value;
};

std::vector<Part> parts_of(const Json& document) {
  std::vector<Part> parts;
  for (const auto& [key, value] : document.items()) parts.push_back({compact(key), compact(value)});
  return parts;
}

// FNV-1a of the document without the times and the checksum itself.
std::string checksum(const std::vector<Part>& parts) {
  Fnv1a hash;
  const char* separator = "{";
  for (const auto& [key, value] : parts) {
    if (key == "\"times\"" || key == "\"checksum\"") continue;
    hash.add_bytes(separator);
    hash.add_bytes(key);
    hash.add_bytes(":");
    hash.add_bytes(value);
    separator = ",";
  }
  hash.add_bytes("}");
  return hash.hex();
}

// ---- from JSON ----

Vector vector_from(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

Matrix rows_from(const Json& json) {
  const auto rows = json.get<std::vector<std::vector<double>>>();
  Matrix matrix(static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<Index>(rows[i].size()) != matrix.cols()) throw std::invalid_argument("rows differ in length");
    matrix.row(static_cast<Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), static_cast<Index>(rows[i].size()));
  }
  return matrix;
}

Vector numbers_or_nan(const Json& json) {
  Vector numbers(static_cast<Index>(json.size()));
  for (std::size_t i = 0; i < json.size(); ++i) {
    numbers[static_cast<Index>(i)] =
        json.at(i).is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at(i).get<double>();
  }
  return numbers;
}

std::optional<LeftOutFacts> left_out_from(const Json& json) {
  if (!json.contains("left_out")) return std::nullopt;
  const Json& facts = json.at("left_out");
  return LeftOutFacts{facts.at("draws"),
                      numbers_or_nan(facts.at("mean")),
                      numbers_or_nan(facts.at("sd")),
                      numbers_or_nan(facts.at("pit")),
                      numbers_or_nan(facts.at("crps")),
                      numbers_or_nan(facts.at("k_hat"))};
}

OutputRuns data_from(const Json& json) {
  return OutputRuns(rows_from(json.at("inputs")), vector_from(json.at("output")), json.at("input_names"),
                    json.at("output_name"));
}

Scaling scaling_from(const Json& json) {
  return Scaling(vector_from(json.at("low")), vector_from(json.at("width")), json.at("output_mean"),
                 json.at("output_sd"));
}

FitOptions settings_from(const Json& json) {
  std::vector<Setting> settings;
  for (const auto& [name, text] : json.items()) {
    if (name == "recycle") {  // what draws-from was called once
      settings.push_back({"draws-from", text == "true" ? "all-levels" : "last-level"});
    } else {
      settings.push_back({name, text});
    }
  }
  FitOptions options;
  apply_settings(options, settings);
  return options;
}

PosteriorSample sample_from(const Json& json) {
  return {json.at("names"),
          rows_from(json.at("positions")).transpose(),
          vector_from(json.at("weights")),
          vector_from(json.at("energies")),
          {json.value("families", std::vector<Index>{}), json.value("group_begin", std::vector<Index>{})}};
}

RunHistory history_from(const Json& json) {
  return {json.at("batches"), json.at("fit_evaluations"), json.at("update_evaluations"),
          json.at("log_evidence_increment"), json.at("log_evidence_increment_error")};
}

Mode mode_from(const Json& json) {
  return {vector_from(json.at("position")),
          json.at("energy"),
          json.at("weight"),
          vector_from(json.at("mean")),
          vector_from(json.at("sd")),
          json.value("group_weights", std::vector<double>{}),
          json.value("effective_sample_size", 0.0)};
}

// What compares groups or runs is missing from files that were written before there was any: then it is not known.
CoordinateDiagnostics diagnostics_from(const Json& json) {
  CoordinateDiagnostics d{json.at("name"), json.at("effective_sample_size"), json.at("mass_near_low"),
                          json.at("mass_near_high")};
  if (json.contains("r_hat")) d.r_hat = json.at("r_hat").get<double>();
  return d;
}

Evidence evidence_from(const Json& json) {
  return {json.at("log_evidence"), json.at("standard_error"), json.at("is_normalised"),
          json.value("by_group", std::vector<double>{})};
}

RunComparison check_from(const Json& json) {
  RunComparison check{json.at("seed"), json.at("modes"), {}};
  for (const Json& q : json.at("quantities")) {
    check.quantities.push_back({q.at("name"), q.at("first"), q.at("second"), q.at("error")});
  }
  return check;
}

LevelSummary level_from(const Json& json, double seconds) {
  LevelSummary level;
  level.level = json.at("level");
  level.beta = json.at("inverse_temperature");
  level.effective_sample_size = json.at("effective_sample_size");
  level.log_mean_weight = json.at("log_mean_weight");
  level.log_mean_weight_error = json.at("log_mean_weight_error");
  level.walk_scale = json.at("walk_scale");
  level.mixture_components = json.at("mixture_components");
  level.num_chains = json.at("num_chains");
  level.num_states = json.at("num_states");
  level.evaluations = json.at("evaluations");
  level.impossible[0] = level.evaluations;
  for (std::size_t i = 1; i < kImpossibleNames.size(); ++i) {
    level.impossible[i] = json.at("impossible").at(kImpossibleNames[i]);
    level.impossible[0] -= level.impossible[i];
  }
  for (const Json& part : json.at("moves")) {
    level.parts.push_back(
        {part.at("name"), part.at("steps"), part.at("moved"), part.at("evaluations"), part.at("squared_jump")});
  }
  level.mean_energy = json.at("mean_energy");
  level.sd_energy = json.at("sd_energy");
  level.seconds = seconds;
  return level;
}

MemberRecord fit_from(const Json& json, const Json& times) {
  MemberRecord record{json.at("program_version"),
                      data_from(json.at("data")),
                      scaling_from(json.at("scaling")),
                      settings_from(json.at("settings")),
                      sample_from(json.at("sample")),
                      {},
                      {},
                      {},
                      {},
                      {},
                      json.at("notices"),
                      {}};
  record.map = {vector_from(json.at("map").at("position")), json.at("map").at("energy"), 0};
  for (const Json& mode : json.at("modes")) record.modes.push_back(mode_from(mode));
  // Of a fit without a sample, files once held zeros.
  if (record.has_sample() && json.contains("evidence")) record.evidence = evidence_from(json.at("evidence"));
  for (const Json& d : json.at("diagnostics")) record.diagnostics.push_back(diagnostics_from(d));
  if (json.contains("check")) record.check = check_from(json.at("check"));
  record.prior_runs = json.value("prior_runs", Index{0});
  if (json.contains("history")) record.history = history_from(json.at("history"));
  record.times = {times.at("created"), times.at("total_seconds")};
  const auto level_seconds = times.at("level_seconds").get<std::vector<double>>();
  const Json& levels = json.at("levels");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    record.levels.push_back(level_from(levels[i], level_seconds.at(i)));
  }
  return record;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void check_lineage(const DrawLineage& lineage, Index num_draws) {
  if (!lineage.is_known()) return;
  const std::vector<Index>& groups = lineage.group_begin;
  require(static_cast<Index>(lineage.families.size()) == num_draws, "draws and families differ in number");
  require(groups.size() > 1 && groups.front() == 0 && groups.back() == num_draws &&
              std::is_sorted(groups.begin(), groups.end()),
          "groups that do not hold the draws");
}

// A file may be whole and yet not hold together, if another program wrote it: nothing later checks sizes again.
void check_consistency(const MemberRecord& record) {
  const ValidFitOptions checked(record.options);
  const ParameterSpace space = make_space(record.data, record.options);
  require(record.scaling.low().size() == record.data.num_inputs(), "scaling and inputs differ in number");
  make_model(record.data, record.scaling, record.options);
  const PosteriorSample& sample = record.sample;
  require(sample.size() > 0 && sample.positions.rows() == space.dim(), "draws of another dimension");
  require(sample.names == space.names(), "draws with other names than the model's");
  require(sample.weights.size() == sample.size() && sample.energies.size() == sample.size(),
          "draws, weights and energies differ in number");
  require(sample.weights.minCoeff() >= 0.0 && std::abs(sample.weights.sum() - 1.0) < 1e-9,
          "weights that do not sum to 1");
  check_lineage(sample.lineage, sample.size());
  require(record.prior_runs >= 0, "a prior of a negative number of runs");
  const auto is_inside = [&](const Vector& z) { return z.size() == space.dim() && space.contains(z); };
  for (Index i = 0; i < sample.size(); ++i) require(is_inside(sample.positions.col(i)), "a draw outside the box");
  require(is_inside(record.map.position), "a MAP outside the box");
  for (const Mode& mode : record.modes) {
    require(is_inside(mode.position) && mode.mean.size() == space.dim() && mode.sd.size() == space.dim(),
            "a mode of another dimension or outside the box");
  }
}

EmulatorRecord models_from(const Json& document) {
  if (!document.contains("outputs")) {
    OutputRecord output = single_member(fit_from(document, document.at("times")));
    output.left_out = left_out_from(document);
    return {{std::move(output)}};
  }
  const Json& times = document.at("times");
  std::size_t num_fits = 0;
  EmulatorRecord model;
  for (const Json& output : document.at("outputs")) {
    OutputRecord record{{}, output.at("weights"), output.at("weighting")};
    for (const Json& fit : output.at("models")) record.members.push_back(fit_from(fit, times.at(num_fits++)));
    record.left_out = left_out_from(output);
    model.outputs.push_back(std::move(record));
  }
  return model;
}

bool can_be_averaged(const MemberRecord& a, const MemberRecord& b) {
  return a.data.fingerprint() == b.data.fingerprint() &&
         make_model(a.data, a.scaling, a.options)->degrees_of_freedom() ==
             make_model(b.data, b.scaling, b.options)->degrees_of_freedom();
}

// Facts of no run at all are those of runs that are too few.
void check_left_out(const LeftOutFacts& facts, Index num_runs) {
  require(facts.num_runs() == 0 || facts.num_runs() == num_runs, "left-out runs and runs differ in number");
  for (const Vector* numbers : {&facts.sd, &facts.pit, &facts.crps, &facts.k_hat}) {
    require(numbers->size() == facts.num_runs(), "left-out runs with numbers missing");
  }
}

void check_consistency(const EmulatorRecord& model) {
  require(!model.outputs.empty(), "no outputs");
  for (const OutputRecord& output : model.outputs) {
    require(!output.members.empty() && output.members.size() == output.weights.size(),
            "models and weights differ in number");
    if (output.left_out) check_left_out(*output.left_out, output.members.front().data.num_runs());
    double total = 0.0;
    for (std::size_t k = 0; k < output.members.size(); ++k) {
      check_consistency(output.members[k]);
      require(output.weights[k] >= 0.0, "a negative weight of a model");
      require(k == 0 || can_be_averaged(output.members.front(), output.members[k]),
              "models of different runs in one average");
      total += output.weights[k];
    }
    require(std::abs(total - 1.0) < 1e-9, "weights of models that do not sum to 1");
  }
}

// The library's own prefix, "[json.exception.type_error.302] ", tells a user nothing.
std::string plain_reason(const nlohmann::json::exception& error) {
  const std::string text = error.what();
  const auto end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::bad_file, name + ": " + why);
}

Json parse_document(const std::string& content, const std::string& name) {
  if (content.empty()) refuse(name, "is empty; expected a model file made by `ta2s2 fit`");
  try {
    return Json::parse(content);
  } catch (const nlohmann::json::exception&) {
    refuse(name, "is not a whole JSON document; it was truncated or damaged, or is no model file made by `ta2s2 fit`");
  }
}

void check_header(const std::string& name, const Json& document) {
  if (!document.is_object() || document.value("format", "") != kFormatName) {
    refuse(name, "is not a model file made by `ta2s2 fit`");
  }
  const int format_version = document.value("format_version", 0);
  if (format_version > kModelFormatVersion) {
    refuse(name, "has format version " + std::to_string(format_version) + ", made by ta2s2 " +
                     document.value("program_version", "of a later release") + "; this program reads up to version " +
                     std::to_string(kModelFormatVersion) + ": use a newer ta2s2");
  }
  if (document.value("checksum", "") != checksum(parts_of(document))) {
    refuse(name, "was damaged or edited: its content does not match its checksum");
  }
}

// A line per part: readable by people, and by tools that work in lines.
void write_document(std::ostream& out, const Json& document) {
  std::vector<Part> parts = parts_of(document);
  parts.push_back({compact("checksum"), compact(checksum(parts))});
  const char* separator = "{\n";
  for (const auto& [key, value] : parts) {
    out << separator << key << ": " << value;
    separator = ",\n";
  }
  out << "\n}\n";
}

MemberRecord only_fit(EmulatorRecord model, const std::string& name) {
  if (is_single(model)) return std::move(model.outputs.front().members.front());
  throw Error(ErrorCode::usage, name + ": holds several outputs or models, expected a fit of one output by one model");
}

}  // namespace

void write_model(std::ostream& out, const MemberRecord& record) {
  write_document(out, document_of(record, std::nullopt));
}

void write_model(std::ostream& out, const EmulatorRecord& model) {
  const OutputRecord& first = model.outputs.front();
  write_document(out, is_single(model) ? document_of(first.members.front(), first.left_out) : document_of(model));
}

EmulatorRecord parse_models(const std::string& content, const std::string& name) {
  const Json document = parse_document(content, name);
  try {
    check_header(name, document);
    EmulatorRecord model = models_from(document);
    check_consistency(model);
    return model;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file) throw;
    refuse(name, std::string("holds a setting or data that this program does not accept: ") + error.what());
  } catch (const nlohmann::json::exception& error) {
    refuse(name, "lacks something a model file has (" + plain_reason(error) + ")");
  } catch (const std::logic_error& error) {
    refuse(name, std::string("holds numbers that do not fit together (") + error.what() + ")");
  }
}

EmulatorRecord read_models(const std::filesystem::path& path) {
  const std::optional<std::string> content = read_text_file(path);
  if (!content) refuse(path.string(), "cannot be read; expected a model file made by `ta2s2 fit`");
  return parse_models(*content, path.string());
}

MemberRecord parse_model(const std::string& content, const std::string& name) {
  return only_fit(parse_models(content, name), name);
}

MemberRecord read_model(const std::filesystem::path& path) {
  return only_fit(read_models(path), path.string());
}

}  // namespace ta2s2
