/* Lets ama (github.com/citrus610/ama, MIT) play as an engine of Ochibot (docs/engines.md).

   This file is Ochibot's own. It is compiled against your checkout of ama:
   make -C tools/ama AMA=/path/to/ama

   ama counts time in placements; Ochibot tells frames. The frames of a placement are measured in the match: those from
   one turn to the next, when nothing was cleared in between. */

#include <map>

#include "ai/ai.h"

#ifndef AMA_CONFIG
#define AMA_CONFIG "config.json"
#endif

namespace
{

constexpr int ROWS = 14;
constexpr int COLUMNS = 6;
constexpr double FRAMES_AT_FIRST = 40.0;

// ama takes two placements for each step of a chain
constexpr int FRAMES_OF_STEP = 2;

struct Margin
{
    i64 seconds = 0, every = 1, most = 0;
};

struct Game
{
    std::map<char, cell::Type> colors;
    i64 points_each = 70;
    Margin margin;
    double frames = FRAMES_AT_FIRST;
    i64 last_frame = -1;
    i64 last_score = -1;
    i64 last_pending = -1;
    bool rival_had_puyos = false;
    bool rival_cleared = false;
};

struct Options
{
    size_t width = 250;
    size_t depth = 16;
};

struct Refused
{
    std::string why;
};

void tell(const json& message)
{
    std::cout << message.dump() << std::endl;
}

cell::Type type_of(Game& game, char sign)
{
    if (sign == 'o') {
        return cell::Type::GARBAGE;
    }

    auto found = game.colors.find(sign);

    if (found != game.colors.end()) {
        return found->second;
    }

    if (game.colors.size() == cell::COUNT - 1) {
        throw Refused { "ama knows four colours: deal no more (--colors 4)" };
    }

    return game.colors[sign] = cell::Type(game.colors.size());
}

cell::Pair pair_of(Game& game, const std::string& text)
{
    if (text.find_first_of("*&") != std::string::npos) {
        throw Refused { "ama knows no items: play without them" };
    }

    return { type_of(game, text[0]), type_of(game, text[1]) };
}

// ama remembers puyos in row 14. Ochibot's games let them vanish, so that row is always empty here.
Field field_of(Game& game, const json& rows)
{
    Field field;

    for (int row = 1; row < ROWS; ++row) {
        const auto text = rows[row].get<std::string>();

        for (int x = 0; x < COLUMNS; ++x) {
            if (text[x] != '.') {
                field.set_cell(i8(x), i8(ROWS - 1 - row), type_of(game, text[x]));
            }
        }
    }

    return field;
}

cell::Queue queue_of(Game& game, const json& pairs)
{
    cell::Queue queue;

    for (const auto& pair : pairs) {
        const auto text = pair.get<std::string>();

        if (text != "??") {
            queue.push_back(pair_of(game, text));
        }
    }

    return queue;
}

// Points that make one nuisance puyo now (margin time).
i64 points_now(const Game& game, i64 frame)
{
    i64 late = frame - game.margin.seconds * 60;
    i64 changes = late < 0 ? 0 : std::min(game.margin.most, late / (game.margin.every * 60) + 1);
    i64 before = 2 * game.points_each, now = game.points_each;

    for (i64 number = 0; number < changes && now > 1; ++number) {
        i64 next = number ? before / 2 : game.points_each * 3 / 4;
        before = now;
        now = next;
    }

    return std::max<i64>(now, 1);
}

i64 number_of(const json& turn, const char* key)
{
    return turn.contains(key) && turn[key].is_number() ? turn[key].get<i64>() : 0;
}

i32 placements_in(const Game& game, i64 frames)
{
    return frames <= 0 ? 0 : i32(std::max(1.0, std::floor(frames / game.frames)));
}

void begin(Game& game, const json& message)
{
    game = Game();
    const auto& rules = message.at("rules");

    if (message.value("family", "") != "puyo" || rules.at("visible_rows") != 12 || rules.at("clear_size") != 4) {
        throw Refused { "ama plays by Tsu's rules: start it with --game tsu, or with --rules tsu" };
    }

    const auto& nuisance = rules.at("nuisance");
    game.points_each = std::max<i64>(1, number_of(nuisance, "points_each"));

    if (nuisance.contains("margin") && nuisance["margin"].is_object()) {
        const auto& margin = nuisance["margin"];
        game.margin = { number_of(margin, "seconds"), std::max<i64>(1, number_of(margin, "every")), number_of(margin, "most") };
    }
}

// Measures how many frames a placement takes.
void clock_in(Game& game, const json& turn)
{
    i64 frame = number_of(turn, "frame"), score = number_of(turn, "score"), pending = number_of(turn, "pending");
    // a chain's first step gives 40 points; a soft drop gives fewer
    bool quiet = game.last_frame >= 0 && score - game.last_score < 40 && game.last_pending == 0;

    if (quiet && frame > game.last_frame) {
        game.frames += (double(frame - game.last_frame) - game.frames) / 8.0;
    }

    game.last_frame = frame;
    game.last_score = score;
    game.last_pending = pending;
}

// Whether the rival's next chain gets the bonus for an emptied field. Turns don't say it, but it is on the screen: the
// field was empty after a chain, and no other chain has run since.
bool rival_is_owed(Game& game, Field& field, bool chains)
{
    const bool empty = field.is_empty();

    if (empty && game.rival_had_puyos) {
        game.rival_cleared = true;
    }
    else if (chains && !empty) {
        game.rival_cleared = false;
    }

    game.rival_had_puyos = !empty;
    return game.rival_cleared;
}

const char* word_of(direction::Type direction)
{
    constexpr const char* WORDS[] = { "up", "right", "down", "left" };
    return WORDS[int(direction)];
}

bool is_legal(const json& turn, int column, const std::string& partner)
{
    for (const auto& one : turn["legal"]) {
        if (one["column"] == column && one["partner"] == partner) {
            return true;
        }
    }

    return false;
}

// The placement in Ochibot's words, if it is legal. A pair of one colour is listed once for each two ways to lie.
bool say(const json& turn, const move::Placement& placement, bool same, json& answer)
{
    std::vector<move::Placement> ways = { placement };

    if (same) {
        i8 other_x = i8(placement.x + direction::get_offset_x(placement.r));
        ways.push_back({ other_x, direction::get_rotate_cw(direction::get_rotate_cw(placement.r)) });
    }

    for (const auto& way : ways) {
        if (is_legal(turn, way.x + 1, word_of(way.r))) {
            answer = { { "type", "place" }, { "id", turn["id"] }, { "column", way.x + 1 }, { "partner", word_of(way.r) } };
            return true;
        }
    }

    return false;
}

json decide(Game& game, const json& turn, const search::Configs& configs, const Options& options)
{
    if (turn["legal"].empty()) {
        return { { "type", "none" }, { "id", turn["id"] } };
    }

    clock_in(game, turn);
    auto self = gaze::Player();
    auto enemy = gaze::Player();
    self.field = field_of(game, turn["field"]);
    self.queue = queue_of(game, turn["next"]);
    self.queue.insert(self.queue.begin(), pair_of(game, turn["pair"].get<std::string>()));

    if (self.queue.size() < 2) {
        throw Refused { "ama needs one next pair at least" };
    }

    self.all_clear = turn["all_clear"].is_boolean() && turn["all_clear"].get<bool>();
    self.bonus = i32(number_of(turn, "points")) + 2100 * self.all_clear;
    enemy.attack = i32(number_of(turn, "pending"));
    enemy.queue = self.queue;

    auto beam = beam::Configs();
    beam.width = options.width;
    beam.depth = options.depth;
    auto searched = search::Result();
    searched.build = beam::search_multi(self.field, self.queue, configs.build, beam);
    move::Placement best = ai::RESULT_DEFAULT.placement;

    if (turn["rival"].is_object()) {
        const auto& rival = turn["rival"];
        enemy.field = field_of(game, rival["field"]);
        auto pairs = queue_of(game, rival["pairs"]);
        self.attack = i32(number_of(rival, "pending"));
        enemy.attack += i32(number_of(rival, "coming"));
        enemy.attack_frame = placements_in(game, number_of(rival, "frames"));
        enemy.attack_chain = enemy.attack_frame / FRAMES_OF_STEP;
        enemy.all_clear = rival_is_owed(game, enemy.field, enemy.attack_frame > 0);

        // ama reads two of the rival's pairs; before its first spawn, none is known
        while (pairs.size() < 2) {
            pairs.push_back(self.queue[pairs.size()]);
        }

        enemy.queue = pairs;
        i32 points = i32(points_now(game, number_of(turn, "frame")));
        best = ai::think(self, enemy, searched, configs, points).placement;
    }
    else if (!searched.build.candidates.empty()) {
        best = searched.build.candidates.front().placement;
    }

    const bool same = self.queue[0].first == self.queue[0].second;
    json answer;

    if (say(turn, best, same, answer)) {
        return answer;
    }

    for (const auto& candidate : searched.build.candidates) {
        if (say(turn, candidate.placement, same, answer)) {
            return answer;
        }
    }

    const auto& first = turn["legal"].front();
    return { { "type", "place" }, { "id", turn["id"] }, { "column", first["column"] }, { "partner", first["partner"] } };
}

search::Configs weights_from(const std::string& path)
{
    std::ifstream file(path);

    if (!file) {
        throw Refused { "can't read ama's weights " + path + ": give its config.json as the first argument" };
    }

    json all = json::parse(file);
    search::Configs configs;
    all.at("build").get_to(configs.build);
    all.at("freestyle").get_to(configs.freestyle);
    all.at("fast").get_to(configs.fast);
    all.at("ac").get_to(configs.ac);
    return configs;
}

void run(const std::string& path)
{
    const auto configs = weights_from(path);
    Options options;
    Game game;
    std::string line;

    while (std::getline(std::cin, line)) {
        const auto message = json::parse(line);
        const auto type = message.value("type", "");

        if (type == "hello") {
            const json width = { { "name", "width" }, { "type", "integer" }, { "default", 250 }, { "min", 1 }, { "max", 5000 } };
            const json depth = { { "name", "depth" }, { "type", "integer" }, { "default", 16 }, { "min", 4 }, { "max", 40 } };
            tell({ { "type", "ready" }, { "protocol", 1 }, { "name", "ama" }, { "options", { width, depth } } });
        }
        else if (type == "setoption") {
            auto& option = message.at("name") == "width" ? options.width : options.depth;
            option = message.at("value").get<size_t>();
        }
        else if (type == "isready") {
            tell({ { "type", "readyok" } });
        }
        else if (type == "new") {
            begin(game, message);
        }
        else if (type == "turn" || type == "hit") {
            tell(decide(game, message, configs, options));
        }
        else if (type == "quit") {
            return;
        }
    }
}

}

int main(int argc, char** argv)
{
    try {
        run(argc > 1 ? argv[1] : AMA_CONFIG);
    }
    catch (const Refused& refused) {
        std::cerr << refused.why << std::endl;
        return 2;
    }
    catch (const json::exception& error) {
        std::cerr << "a message that isn't as docs/engines.md says: " << error.what() << std::endl;
        return 1;
    }

    return 0;
}
