#include "ta2s2/io/model_file.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/record_json.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

constexpr const char* kFormatName = "ta2s2-model";

// ---- writing ----

// A key of the document and its value, as JSON: numbers are turned into digits once.
struct Part {
  std::string key, value;
};

// The visitor that makes a part of each field.
struct ToParts {
  std::vector<Part> parts;

  template <class T>
  void operator()(std::string_view key, const T& value, Missing missing = Missing::is_error) {
    if (is_left_out(value, missing)) return;
    parts.push_back({to_json(key), to_json(value)});
  }
};

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

void add_header(ToParts& document) {
  document("format", kFormatName);
  document("format_version", kModelFormatVersion);
}

// A line per part: readable by people, and by tools that work in lines.
void write_document(std::ostream& out, ToParts document) {
  document("checksum", checksum(document.parts));
  const char* separator = "{\n";
  for (const auto& [key, value] : document.parts) {
    out << separator << key << ": " << value;
    separator = ",\n";
  }
  out << "\n}\n";
}

void write_single(std::ostream& out, const OutputRecord& output) {
  const MemberRecord& member = output.members.front();
  ToParts document;
  add_header(document);
  visit_fields(member, document);
  document("left_out", output.left_out, Missing::is_left_out);
  document("recalibration", output.recalibration, Missing::is_left_out);
  document("activity", output.activity, Missing::is_left_out);
  document("times", stored_times(member));
  write_document(out, std::move(document));
}

// ---- reading ----

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
  const ParameterSpace space = make_space(record);
  require(record.scaling.num_inputs() == record.data.num_inputs(), "scaling and inputs differ in number");
  record.scaling.require_positive(record.data);
  require(record.transform.name() == for_single_model(record.options).transform,
          "a transformation that the settings do not name");
  require(holds_outputs(record.transform, record.scaling, record.data.output()),
          "outputs that the transformation does not hold");
  make_model(record);
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

EmulatorRecord models_from(const JsonValue& document) {
  const JsonValue times = document.at("times");
  if (!document.find("outputs")) {
    MemberRecord record = from_json<MemberRecord>(document);
    complete(record, from_json<StoredTimes>(times));
    OutputRecord output = single_member(std::move(record));
    const FromJson field(document);
    field("left_out", output.left_out, Missing::keeps_default);
    field("recalibration", output.recalibration, Missing::keeps_default);
    field("activity", output.activity, Missing::keeps_default);
    return {{std::move(output)}};
  }
  EmulatorRecord model{from_json<std::vector<OutputRecord>>(document.at("outputs"))};
  const auto times_of_members = from_json<std::vector<StoredTimes>>(times);
  std::size_t num_members = 0;
  for (OutputRecord& output : model.outputs) {
    for (MemberRecord& member : output.members) {
      require(num_members < times_of_members.size(), "a model without its times");
      complete(member, times_of_members[num_members++]);
    }
  }
  return model;
}

bool can_be_averaged(const MemberRecord& a, const MemberRecord& b) {
  return a.data.fingerprint() == b.data.fingerprint() &&
         make_model(a)->degrees_of_freedom() == make_model(b)->degrees_of_freedom();
}

// Facts of no run at all are those of runs that are too few.
void check_left_out(const LeftOutFacts& facts, Index num_runs) {
  require(facts.num_runs() == 0 || facts.num_runs() == num_runs, "left-out runs and runs differ in number");
  for (const Vector* numbers : {&facts.sd, &facts.pit, &facts.crps, &facts.k_hat}) {
    require(numbers->size() == facts.num_runs(), "left-out runs with numbers missing");
  }
}

void check_activity(const Activity& activity, Index num_inputs) {
  for (const Vector* probabilities : {&activity.active, &activity.linear}) {
    require(probabilities->size() == num_inputs, "inputs and their probabilities to act differ in number");
    require((probabilities->array() >= 0.0 && probabilities->array() <= 1.0).all(),
            "an input that acts with a probability outside 0 to 1");
  }
}

void check_consistency(const EmulatorRecord& model) {
  require(!model.outputs.empty(), "no outputs");
  for (const OutputRecord& output : model.outputs) {
    require(!output.members.empty() && output.members.size() == output.weights.size(),
            "models and weights differ in number");
    require(!output.recalibration || (*output.recalibration > 0.0 && std::isfinite(*output.recalibration)),
            "a recalibration that is no positive factor");
    if (output.left_out) check_left_out(*output.left_out, output.members.front().data.num_runs());
    if (output.activity) check_activity(*output.activity, output.members.front().data.num_inputs());
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

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::bad_file, name + ": " + why);
}

JsonValue parse_document(const std::string& content, const std::string& name) {
  if (content.empty()) refuse(name, "is empty; expected a model file made by `ta2s2 fit`");
  try {
    return parse_json(content);
  } catch (const JsonError&) {
    refuse(name, "is not a model file made by `ta2s2 fit`, or is damaged: it is not a complete JSON document");
  }
}

struct Header {
  std::string format, program_version = "of a later release", checksum;
  int format_version = 0;
};
void visit_fields(Is<Header> auto& h, auto&& field) {
  field("format", h.format, Missing::keeps_default);
  field("format_version", h.format_version, Missing::keeps_default);
  field("program_version", h.program_version, Missing::keeps_default);
  field("checksum", h.checksum, Missing::keeps_default);
}

void check_header(const std::string& name, const JsonValue& document) {
  const Header header = document.is_object() ? from_json<Header>(document) : Header{};
  if (header.format != kFormatName) refuse(name, "is not a model file made by `ta2s2 fit`");
  if (header.format_version > kModelFormatVersion) {
    refuse(name, "has format version " + std::to_string(header.format_version) + ", made by ta2s2 " +
                     header.program_version + "; this program reads up to version " +
                     std::to_string(kModelFormatVersion) + ": use a newer ta2s2");
  }
  std::vector<Part> parts;
  for (const auto& [key, value] : document.members()) parts.push_back({to_json(key), value.text()});
  if (header.checksum != checksum(parts))
    refuse(name, "was damaged or edited: its content does not match its checksum");
}

}  // namespace

void write_model(std::ostream& out, const EmulatorRecord& model) {
  const OutputRecord& first = model.outputs.front();
  if (is_single(model)) return write_single(out, first);
  const auto named = [](const OutputRecord& output) {
    return Fields{[&output](auto& field) {
      field("name", output.name());
      visit_fields(output, field);
    }};
  };
  std::vector<StoredTimes> times;
  for (const OutputRecord& output : model.outputs) {
    for (const MemberRecord& member : output.members) times.push_back(stored_times(member));
  }
  ToParts document;
  add_header(document);
  document("program_version", first.members.front().version);
  document("outputs", each(model.outputs, named));
  document("times", times);
  write_document(out, std::move(document));
}

EmulatorRecord parse_models(const std::string& content, const std::string& name) {
  const JsonValue document = parse_document(content, name);
  try {
    check_header(name, document);
    EmulatorRecord model = models_from(document);
    check_consistency(model);
    return model;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file) throw;
    refuse(name, std::string("holds a setting or data that this program does not accept: ") + error.what());
  } catch (const JsonError& error) {
    refuse(name, std::string("lacks something a model file has (") + error.what() + ")");
  } catch (const std::logic_error& error) {
    refuse(name, std::string("holds numbers that do not fit together (") + error.what() + ")");
  }
}

EmulatorRecord read_models(const std::filesystem::path& path) {
  const std::optional<std::string> content = read_text_file(path);
  if (!content) refuse(path.string(), "cannot be read; expected a model file made by `ta2s2 fit`");
  return parse_models(*content, path.string());
}

}  // namespace ta2s2
