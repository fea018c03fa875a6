// The runner of the C++ client: plays the scenarios and writes a report.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "steps.hpp"

// The examples of the README, see ten_lines.cpp and partial.cpp.
void play_a_match(const std::string& address);
void list_legal_moves(const std::string& address);

namespace {

std::string read(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Reads `--name value` pairs.
std::map<std::string, std::string> arguments(int count, char** words) {
    std::map<std::string, std::string> flags;
    for (int place = 1; place + 1 < count; place += 2) flags[words[place]] = words[place + 1];
    return flags;
}

/// Lists the scenarios in the order of their names.
std::vector<std::filesystem::path> scenarios(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() == ".json") paths.push_back(file.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

void play_all(const std::map<std::string, std::string>& flags) {
    const runner::Environment environment{flags.at("--grpc"),     flags.at("--cut"),      flags.at("--tls"),
                                          read(flags.at("--ca")), flags.at("--platform"), flags.at("--api-key")};
    play_a_match(environment.grpc);
    list_legal_moves(environment.grpc);
    runner::Json results = runner::Json::object();
    for (const auto& path : scenarios(flags.at("--scenarios"))) {
        const auto scenario = runner::Json::parse(read(path));
        results[scenario.at("name").get<std::string>()] =
            runner::ScenarioPlayer(environment).play_scenario(scenario.at("steps"));
    }
    std::ofstream report(flags.at("--report"));
    report << runner::Json{{"client", "cpp"}, {"results", results}}.dump(1);
    report.close();
    if (!report) throw std::runtime_error("the report cannot be written");
}

} // namespace

int main(int count, char** words) {
    try {
        play_all(arguments(count, words));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
