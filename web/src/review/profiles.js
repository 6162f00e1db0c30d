// The boards of the rules that are shipped, for the analysis board. tests/ui/web/test_review_rules.py compares them with
// configs/rules.

const BONUSES = { color_bonus: [0, 0, 3, 6, 12, 24, 48], group_bonus: [0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10], group_bonus_per: "group" };
const SHARED = { columns: 6, rows: 14, letters: ".RGBYPCo", needles: false, kicks: true };
const TSU_POWER = [0, 8, 16, ...Array.from({ length: 21 }, (_, step) => 32 * (step + 1))];
const twelve = (power, quick) => ({
  ...SHARED, hidden: 2, spawn: [2, 2], axis_top: 1, partner_top: 0, quick_turn: quick,
  chain: { kept: 1, grouping: 2, clear_size: 4, chain_power: power, ...BONUSES, most: 999, unit: 10, all_clear: 0 },
});

export const PROFILES = {
  tsu: twelve(TSU_POWER, true),
  puyo1: twelve([0, 8, 16, 32, 64, 128, 256, 512, 1024], false),
  famicom: {
    ...SHARED, hidden: 1, spawn: [2, 1], axis_top: 0, partner_top: 0, quick_turn: false,
    chain: {
      kept: 0, grouping: 1, clear_size: 4, chain_power: [0, 8, 16, 32, 64, 128, 256, 512, 999], ...BONUSES, most: 999, unit: 10, all_clear: 0,
    },
  },
};
