#include "ta2s2/io/model_file.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/record_fields.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

std::string text_of_models(const EmulatorRecord& model) {
  std::ostringstream out;
  write_model(out, model);
  return out.str();
}

std::string text_of(const MemberRecord& record) {
  return text_of_models({{single_member(record)}});
}

MemberRecord read_text(const std::string& text) {
  const test::TemporaryFile file(text, "model.json");
  return read_models(file.path()).outputs.at(0).members.at(0);
}

std::string refusal_of(const std::string& text) {
  const test::TemporaryFile file(text, "model.json");
  return test::message_of(ErrorCode::bad_file, [&] { read_models(file.path()); });
}

// Damage strikes anywhere; two places cannot matter: blanks between tokens, and the times, which no checksum
// covers.
std::string without_times(const MemberRecord& record) {
  MemberRecord copy = record;
  copy.times = {};
  for (LevelSummary& level : copy.levels) level.seconds = 0.0;
  return text_of(copy);
}

const MemberRecord& fitted() {
  static const MemberRecord record = test::small_fit({{"samples", "60"}});
  return record;
}

TEST(ModelFile, RoundTripGivesTheSameBytes) {
  const std::string text = text_of(fitted());
  EXPECT_EQ(text_of(read_text(text)), text);
}

// Non-finite numbers have no JSON: no fit may leave one behind.
TEST(ModelFile, RoundTripOfEveryKindOfFit) {
  const std::vector<std::vector<Setting>> kinds = {
      {{"fast", "true"}},
      {{"draws-from", "last-level"}},
      {{"growth", "tmcmc"}},
      {{"kernel", "published"}, {"growth", "tmcmc"}},
      {{"kernel", "neal"}},
      {{"kernel", "random-walk"}},
      {{"path", "prior"}},
      {{"sampler", "aims"}},
      {{"sampler", "slice"}},
      {{"sampler", "elliptical"}},
      {{"sampler", "plgp"}},
      {{"sampler", "plgp"}, {"prior", "reference"}, {"trend", "linear"}},
      {{"sampler", "plgp"}, {"trend", "none"}, {"exponent", "paper"}},
      {{"sampler", "map"}},
      {{"prior", "reference"}, {"nugget", "fixed(1e-8)"}},
      {{"prior", "reference(joint)"}},
      {{"trend", "none"}, {"exponent", "paper"}},
      {{"anneal-to", "0"}},
      {{"groups", "1"}},
      {{"check", "true"}},
      {{"coordinates", "unbounded"}, {"groups", "6"}},
      {{"correlation", "squared-exponential"}, {"nugget", "fixed(0)"}},
      {{"prior", "length=gamma(2,1);*=log-uniform"}, {"trend", "terms(load,load^2)"}},
      {{"input-scale", "l*=log"}},
  };
  for (std::vector<Setting> settings : kinds) {
    SCOPED_TRACE(settings.front().name + ' ' + settings.front().text);
    settings.push_back({"samples", "120"});
    const std::string text = text_of(test::small_fit(settings));
    EXPECT_EQ(text.find("null"), std::string::npos);
    EXPECT_EQ(text_of(read_text(text)), text);
  }
}

TEST(ModelFile, KeepsTheScalesOfInputs) {
  const MemberRecord before = test::small_fit({{"input-scale", "load=log"}, {"fast", "true"}});
  const MemberRecord after = read_text(text_of(before));
  EXPECT_TRUE(before.scaling.is_log(1));
  EXPECT_TRUE(after.scaling.is_log(1));
  EXPECT_FALSE(after.scaling.is_log(0));
  EXPECT_EQ(after.scaling.to_unit(after.data.inputs()), before.scaling.to_unit(before.data.inputs()));
  EXPECT_EQ(text_of(fitted()).find("\"scales\""), std::string::npos);
}

TEST(ModelFile, KeepsEveryBitOfTheRecord) {
  const MemberRecord& before = fitted();
  const MemberRecord after = read_text(text_of(before));
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(after.data.fingerprint(), before.data.fingerprint());
  EXPECT_EQ(after.data.inputs(), before.data.inputs());
  EXPECT_EQ(after.scaling.low(), before.scaling.low());
  EXPECT_EQ(after.scaling.width(), before.scaling.width());
  EXPECT_EQ(after.scaling.output_mean(), before.scaling.output_mean());
  EXPECT_EQ(after.scaling.output_sd(), before.scaling.output_sd());
  EXPECT_EQ(after.sample.names, before.sample.names);
  EXPECT_EQ(after.sample.positions, before.sample.positions);
  EXPECT_EQ(after.sample.weights, before.sample.weights);
  EXPECT_EQ(after.sample.energies, before.sample.energies);
  EXPECT_EQ(after.map.position, before.map.position);
  EXPECT_EQ(after.map.energy, before.map.energy);
  EXPECT_EQ(after.evidence->log_evidence, before.evidence->log_evidence);
  EXPECT_EQ(after.evidence->standard_error, before.evidence->standard_error);
  ASSERT_EQ(after.modes.size(), before.modes.size());
  EXPECT_EQ(after.modes[0].sd, before.modes[0].sd);
  ASSERT_EQ(after.levels.size(), before.levels.size());
  for (std::size_t i = 0; i < after.levels.size(); ++i) {
    EXPECT_EQ(after.levels[i].beta, before.levels[i].beta);
    EXPECT_EQ(after.levels[i].impossible, before.levels[i].impossible);
    EXPECT_EQ(after.levels[i].seconds, before.levels[i].seconds);
    EXPECT_EQ(after.levels[i].acceptance(), before.levels[i].acceptance());
  }
}

TEST(ModelFile, KeepsWhatGroupsAndASecondRunSaid) {
  const MemberRecord before = test::small_fit({{"sampler", "annealed"}, {"samples", "60"}, {"check", "true"}});
  const MemberRecord after = read_text(text_of(before));
  ASSERT_EQ(before.evidence->by_group.size(), 4u);
  EXPECT_EQ(after.evidence->by_group, before.evidence->by_group);
  ASSERT_EQ(after.modes.size(), before.modes.size());
  EXPECT_EQ(after.modes[0].group_weights, before.modes[0].group_weights);
  EXPECT_EQ(after.modes[0].effective_sample_size, before.modes[0].effective_sample_size);
  for (std::size_t d = 0; d < before.diagnostics.size(); ++d) {
    EXPECT_TRUE(before.diagnostics[d].r_hat.has_value());
    EXPECT_EQ(after.diagnostics[d].r_hat, before.diagnostics[d].r_hat);
  }
  ASSERT_TRUE(after.check.has_value());
  EXPECT_EQ(after.check->seed, 2u);
  EXPECT_EQ(after.check->num_modes, before.check->num_modes);
  ASSERT_EQ(after.check->quantities.size(), before.check->quantities.size());
  EXPECT_EQ(after.check->quantities[0].name, before.check->quantities[0].name);
  EXPECT_EQ(after.check->quantities[0].error, before.check->quantities[0].error);
}

TEST(ModelFile, KeepsEveryRecordedSetting) {
  const std::vector<Setting> settings = {{"sampler", "annealed"},
                                         {"prior", "exponential(0.2)"},
                                         {"nugget", "beta(2,5)"},
                                         {"trend", "linear"},
                                         {"correlation", "power-exponential(1.9)"},
                                         {"kernel", "random-walk"},
                                         {"chain-length", "4"},
                                         {"path", "prior"},
                                         {"seed", "18446744073709551615"},
                                         {"box", "-6.5,6"},
                                         {"samples", "60"}};
  const MemberRecord before = test::small_fit(settings);
  const MemberRecord after = read_text(text_of(before));
  const auto expected = recorded_settings(before.options), found = recorded_settings(after.options);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].text, expected[i].text) << found[i].name;
}

TEST(ModelFile, AFitWithoutEvidenceHasNone) {
  MemberRecord record = fitted();
  record.evidence.reset();
  const std::string text = text_of(record);
  EXPECT_FALSE(nlohmann::json::parse(text).contains("evidence"));
  EXPECT_FALSE(read_text(text).evidence.has_value());
}

TEST(ModelFile, NamesNeedNotBePlain) {
  const OutputRuns plain = test::small_runs();
  const OutputRuns data(plain.inputs(), plain.output(), {"Länge \"a\"", "load, N\\m"}, "β");
  const std::string text = text_of(test::small_fit({{"samples", "60"}}, data));
  EXPECT_EQ(read_text(text).data.input_names(), data.input_names());
  EXPECT_EQ(text_of(read_text(text)), text);
}

TEST(ModelFile, EveryTruncationIsRefused) {
  const std::string text = text_of(fitted());
  // Up to the closing brace: only the line feed after it can go unnoticed.
  const std::size_t end = text.rfind('}');
  for (std::size_t length = 0; length <= end; length += length < 200 ? 1 : 53) {
    const std::string message = refusal_of(text.substr(0, length));
    EXPECT_NE(message.find("model.json"), std::string::npos) << length;
  }
  refusal_of(text.substr(0, end));
}

TEST(ModelFile, EveryDamagedByteIsRefusedOrHarmless) {
  const std::string text = text_of(fitted());
  const std::string truth = without_times(fitted());
  const std::size_t times = text.find("\n\"times\""), times_end = text.find('\n', times + 1);
  int refused = 0, harmless = 0;
  for (std::size_t place = 0; place < text.size(); place += 29) {
    if (place > times && place < times_end) continue;
    for (const char bit : {'\x01', '\x10', '\x80'}) {
      std::string damaged = text;
      damaged[place] = static_cast<char>(damaged[place] ^ bit);
      try {
        EXPECT_EQ(without_times(read_text(damaged)), truth) << place;
        ++harmless;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_file) << error.what();
        ++refused;
      }
    }
  }
  // A last digit that reads as the same double, a blank in place of a line feed, E in place of e.
  EXPECT_LT(harmless, refused / 20);
}

// Times are for information: what they hold may change, what they are may not.
TEST(ModelFile, DamageToTheTimesNeverSurprises) {
  const std::string text = text_of(fitted());
  const std::size_t times = text.find("\n\"times\""), times_end = text.find('\n', times + 1);
  for (std::size_t place = times; place < times_end; place += 3) {
    std::string damaged = text;
    damaged[place] = static_cast<char>(damaged[place] ^ '\x01');
    try {
      EXPECT_EQ(without_times(read_text(damaged)), without_times(fitted()));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_file) << error.what();
    }
  }
}

TEST(ModelFile, AnEditedNumberIsRefused) {
  std::string text = text_of(fitted());
  const std::size_t place = text.find("\"log_evidence\":") + std::string("\"log_evidence\":").size();
  text[place + 1] = text[place + 1] == '1' ? '2' : '1';
  test::expect_parts(refusal_of(text), {"model.json", "damaged or edited", "checksum"});
}

TEST(ModelFile, ANewerVersionIsRefusedByItsNumber) {
  std::string text = text_of(fitted());
  const std::string version = "\"format_version\": 5";
  ASSERT_NE(text.find(version), std::string::npos);
  text.replace(text.find(version), version.size(), "\"format_version\": 17");
  test::expect_parts(refusal_of(text), {"model.json", "version 17", "reads up to version 5", "newer ta2s2"});
}

std::string with_checksum(nlohmann::json document) {
  nlohmann::json hashed = document;
  hashed.erase("times");
  hashed.erase("checksum");
  Fnv1a hash;
  hash.add_bytes(hashed.dump());
  document["checksum"] = hash.hex();
  return document.dump();
}

// `draws-from` was once called `recycle`.
TEST(ModelFile, AnOlderFilesSettingsAreRead) {
  for (const auto& [word, meant] : {std::pair{"true", DrawsFrom::all_levels}, {"false", DrawsFrom::last_level}}) {
    nlohmann::json document = nlohmann::json::parse(text_of(fitted()));
    document["settings"].erase("draws-from");
    document["settings"]["recycle"] = word;
    EXPECT_EQ(read_text(with_checksum(document)).options.draws_from, meant) << word;
  }
}

// Before version 5 outputs were not transformed, nor predictions recalibrated, whatever the default is today.
TEST(ModelFile, AnEarlierFileMeansTheIdentity) {
  nlohmann::json document = nlohmann::json::parse(text_of(fitted()));
  for (const char* key : {"transform", "recalibration"}) {
    EXPECT_FALSE(document.contains(key)) << key;
    document["settings"].erase(key);
  }
  document["format_version"] = 4;
  const test::TemporaryFile file(with_checksum(document), "model.json");
  const OutputRecord output = read_models(file.path()).outputs.front();
  EXPECT_TRUE(output.members.front().transform.is_none());
  EXPECT_EQ(output.members.front().options.transform, "none");
  EXPECT_EQ(output.members.front().options.recalibration, Recalibration::none);
  EXPECT_FALSE(output.recalibration.has_value());
}

// The fit with the parameters of a transformation beside its own.
MemberRecord transformed_fit() {
  MemberRecord record = fitted();
  record.options.transform = "box-cox";
  record.transform = find_transform(record.data, record.scaling, record.options);
  record.sample.names = make_space(record).names();
  const auto longer = [](Vector& z) { z.conservativeResizeLike(Vector::Constant(z.size() + 2, 0.25)); };
  record.sample.positions.conservativeResizeLike(
      Matrix::Constant(record.sample.positions.rows() + 2, record.sample.size(), 0.25));
  longer(record.map.position);
  for (Mode& mode : record.modes) {
    longer(mode.position);
    longer(mode.mean);
    longer(mode.sd);
  }
  return record;
}

TEST(ModelFile, KeepsTheTransformationAndTheRecalibration) {
  OutputRecord output = single_member(transformed_fit());
  output.recalibration = 1.125;
  OutputRecord average{{transformed_fit(), fitted()}, {0.5, 0.5}, Weighting::stacking};
  average.recalibration = 1.0;
  for (const EmulatorRecord& model : {EmulatorRecord{{output}}, EmulatorRecord{{average}}}) {
    const std::string text = text_of_models(model);
    const EmulatorRecord read = parse_models(text, "model.json");
    EXPECT_EQ(text_of_models(read), text);
    const OutputTransform &before = model.outputs[0].members[0].transform,
                          &after = read.outputs[0].members[0].transform;
    EXPECT_EQ(after.kind(), TransformKind::box_cox);
    EXPECT_EQ(after.sign(), before.sign());
    EXPECT_EQ(after.origin(), before.origin());
    EXPECT_EQ(after.scale(), before.scale());
    EXPECT_EQ(read.outputs[0].recalibration, model.outputs[0].recalibration);
  }
}

TEST(ModelFile, RefusesATransformationThatDoesNotFit) {
  const auto refusal = [](void (*change)(nlohmann::json&)) {
    nlohmann::json document = nlohmann::json::parse(text_of(transformed_fit()));
    change(document);
    return refusal_of(with_checksum(document));
  };
  test::expect_parts(refusal([](nlohmann::json& d) { d["transform"]["scale"] = -1.0; }), {"positive scale"});
  test::expect_parts(refusal([](nlohmann::json& d) { d["transform"]["kind"] = "cubic"; }), {"transform.kind"});
  test::expect_parts(refusal([](nlohmann::json& d) { d.erase("transform"); }), {"transformation"});
  test::expect_parts(
      refusal([](nlohmann::json& d) { d["transform"]["origin"] = d["transform"]["origin"].get<double>() + 1.0; }),
      {"outputs that the transformation does not hold"});
  test::expect_parts(refusal([](nlohmann::json& d) { d["recalibration"] = -1.0; }), {"positive factor"});
}

TEST(ModelFile, WhatIsNoModelIsRefused) {
  for (const std::string text :
       {"", "{}", "[]", "3", "null", "\"ta2s2-model\"", "a,b\n1,2\n", "{\"format\": 3}",
        "{\"format\": \"ta2s2-model\"}", "{\"format\": \"ta2s2-model\", \"format_version\": {}}",
        "{\"format\": \"other\", \"format_version\": 1}"}) {
    EXPECT_NE(refusal_of(text).find("model.json"), std::string::npos) << text;
  }
  const test::TemporaryFile file("", "model.json");
  test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { read_models(file.folder() / "none.json"); }),
                     {"none.json", "cannot be read"});
  test::message_of(ErrorCode::bad_file, [&] { read_models(file.folder()); });
}

// ---- several outputs, several models ----

// Two outputs; the second is an average of two models.
const EmulatorRecord& several() {
  static const EmulatorRecord model = [] {
    const std::vector<Setting> few = {{"samples", "60"}};
    const MemberRecord rough = test::small_fit({{"samples", "60"}, {"correlation", "matern32"}}, test::small_runs(15));
    return EmulatorRecord{{single_member(fitted()),
                           {{test::small_fit(few, test::small_runs(15)), rough}, {0.25, 0.75}, Weighting::stacking}}};
  }();
  return model;
}

EmulatorRecord changed(void (*change)(EmulatorRecord&)) {
  EmulatorRecord model = several();
  change(model);
  return model;
}

TEST(ModelFileOfSeveral, RoundTripGivesTheSameBytes) {
  const std::string text = text_of_models(several());
  const EmulatorRecord again = parse_models(text, "model.json");
  EXPECT_EQ(text_of_models(again), text);
  ASSERT_EQ(again.outputs.size(), 2u);
  EXPECT_EQ(again.outputs[1].weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(again.outputs[1].weighting, Weighting::stacking);
  EXPECT_EQ(again.outputs[1].members[1].options.correlation, "matern32");
  EXPECT_EQ(again.outputs[1].members[1].levels.back().seconds, several().outputs[1].members[1].levels.back().seconds);
}

// A file from before the sampler had passes: its `ta2s2` is what is called `annealed` now.
TEST(ModelFile, TheSamplerOfAnEarlierFileKeepsItsMeaning) {
  MemberRecord record = test::small_fit({{"sampler", "annealed"}, {"samples", "60"}});
  Named<std::string> settings = stored_form(record.options);
  for (auto& [name, text] : settings) {
    if (name == "sampler") text = "ta2s2";
  }
  FitOptions options;
  restore(options, settings);
  EXPECT_EQ(options.sampler, "annealed");
  restore(options, stored_form(FitOptions{}));
  EXPECT_EQ(options.sampler, "ta2s2");
}

TEST(ModelFile, KeepsWhatThePassesSaid) {
  const MemberRecord before = test::small_fit();
  const MemberRecord after = read_text(text_of(before));
  ASSERT_TRUE(before.passes && after.passes);
  ASSERT_EQ(after.passes->passes.size(), before.passes->passes.size());
  EXPECT_EQ(after.passes->passes.back().log_evidence, before.passes->passes.back().log_evidence);
  EXPECT_EQ(after.passes->passes.back().gradients, before.passes->passes.back().gradients);
  EXPECT_EQ(after.passes->agreement.tail_index, before.passes->agreement.tail_index);
  EXPECT_EQ(after.levels.back().stage, before.levels.back().stage);
  EXPECT_EQ(after.levels.back().gradients, before.levels.back().gradients);
}

// What a run left out would have been predicted is kept, to the bit, and what is not known of it too.
TEST(ModelFileOfSeveral, KeepsFactsOfLeftOutRuns) {
  OutputRecord output = single_member(fitted());
  const Index n = fitted().data.num_runs();
  const Vector numbers = Vector::LinSpaced(n, 0.1, 0.7);
  output.left_out = LeftOutFacts{60, numbers, 2.0 * numbers, 3.0 * numbers, 4.0 * numbers, 5.0 * numbers};
  output.left_out->mean[1] = output.left_out->k_hat[2] = std::numeric_limits<double>::quiet_NaN();
  OutputRecord average{{fitted(), fitted()}, {0.5, 0.5}, Weighting::equal, output.left_out};
  for (const EmulatorRecord& model : {EmulatorRecord{{output}}, EmulatorRecord{{average}}}) {
    const std::string text = text_of_models(model);
    EXPECT_EQ(nlohmann::json::parse(text).at("format_version"), 5);
    const EmulatorRecord read = parse_models(text, "model.json");
    EXPECT_EQ(text_of_models(read), text);
    const LeftOutFacts& facts = read.outputs.front().left_out.value();
    EXPECT_EQ(facts.num_draws, 60);
    EXPECT_EQ(facts.mean[0], numbers[0]);
    EXPECT_FALSE(facts.is_known(1));
    EXPECT_TRUE(std::isnan(facts.k_hat[2]));
    EXPECT_EQ(facts.pit, 3.0 * numbers);
  }
  output.left_out->pit.conservativeResize(n - 1);
  EXPECT_THROW(parse_models(text_of_models(EmulatorRecord{{output}}), "model.json"), Error);
}

// Files of earlier releases do not tell which inputs act, and none of them is given to others.
TEST(ModelFileOfSeveral, KeepsWhichInputsAct) {
  OutputRecord output = single_member(fitted());
  EXPECT_EQ(text_of_models({{output}}).find("activity"), std::string::npos);
  output.activity = Activity{Vector{{1.0, 0.3}}, Vector{{0.0, 0.1}}};
  OutputRecord average{{fitted(), fitted()}, {0.5, 0.5}, Weighting::equal};
  average.activity = Activity{Vector{{0.25, 0.75}}, Vector{{0.125, 0.5}}};
  for (const EmulatorRecord& model : {EmulatorRecord{{output}}, EmulatorRecord{{average, output}}}) {
    const std::string text = text_of_models(model);
    const EmulatorRecord read = parse_models(text, "model.json");
    EXPECT_EQ(text_of_models(read), text);
    EXPECT_EQ(read.outputs.back().activity.value().active, output.activity->active);
    EXPECT_EQ(read.outputs.back().activity.value().linear, output.activity->linear);
  }
  output.activity->linear[1] = 1.5;
  EXPECT_THROW(parse_models(text_of_models(EmulatorRecord{{output}}), "model.json"), Error);
  output.activity->linear.conservativeResize(1);
  EXPECT_THROW(parse_models(text_of_models(EmulatorRecord{{output}}), "model.json"), Error);
}

TEST(ModelFileOfSeveral, RefusesWhatDoesNotHoldTogether) {
  const auto refusal = [](void (*change)(EmulatorRecord&)) { return refusal_of(text_of_models(changed(change))); };
  test::expect_parts(refusal([](EmulatorRecord& m) { m.outputs[1].weights[0] = 0.5; }), {"do not sum to 1"});
  test::expect_parts(refusal([](EmulatorRecord& m) { m.outputs[1].weights = {1.25, -0.25}; }), {"negative weight"});
  test::expect_parts(refusal([](EmulatorRecord& m) { m.outputs[1].weights = {1.0}; }), {"differ in number"});
  test::expect_parts(refusal([](EmulatorRecord& m) { m.outputs[1].members[0] = fitted(); }), {"different runs"});
}

}  // namespace
}  // namespace ta2s2
