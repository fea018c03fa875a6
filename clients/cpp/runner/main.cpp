// The runner of the C++ client: plays the scenarios and writes what came of them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "steps.hpp"

// The example of the README, see ten_lines.cpp.
void play_a_match(const std::string& address);

namespace {

std::string read(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Reads `--name value` pairs.
std::map<std::string, std::string> arguments(int count, char** words) {
    std::map<std::string, std::string> told;
    for (int place = 1; place + 1 < count; place += 2) told[words[place]] = words[place + 1];
    return told;
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

void play_all(const std::map<std::string, std::string>& told) {
    const Stage stage{told.at("--grpc"), told.at("--cut"), told.at("--tls"), read(told.at("--ca"))};
    play_a_match(stage.grpc);
    Json results = Json::object();
    for (const auto& path : scenarios(told.at("--scenarios"))) {
        const auto scenario = Json::parse(read(path));
        results[scenario.at("name").get<std::string>()] = Runner(stage).play_scenario(scenario.at("steps"));
    }
    std::ofstream report(told.at("--report"));
    report << Json{{"client", "cpp"}, {"results", results}}.dump(1);
    report.close();
    if (!report) throw std::runtime_error("the report cannot be written");
}

} // namespace

int main(int count, char** words) {
    try {
        play_all(arguments(count, words));
        return 0;
    } catch (const std::exception& trouble) {
        std::cerr << trouble.what() << '\n';
        return 1;
    }
}
