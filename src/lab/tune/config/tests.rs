//! Valid and invalid configurations.

use super::*;

const GOOD: &str = r#"
system = "ga-minimax"
generations = 3
population = 4
keep = ["moves-late", "stability"]
include = ["untuned"]

[fitness]
by = "round-robin"
games = 2
depth = 1
exact = 6

[genetic]
elite = 2
parents = 2
crossover = "uniform"
mutation = 0.02
"#;

#[track_caller]
fn wrong(from: &str, to: &str) -> String {
    let text = GOOD.replacen(from, to, 1);
    assert_ne!(text, GOOD);
    Config::parse(&text).expect_err("wrong")
}

#[test]
fn what_is_left_out_has_a_default() {
    let config = Config::parse(GOOD).expect("good");
    assert_eq!((config.seed, config.rules, config.fitness.opening), (1, Rules::Reversed, 8));
    assert_eq!(config.last, FinalConfig { candidates: 8, games: 100 });
    let free = config.space().expect("known names").free;
    assert_eq!(free.iter().filter(|&&free| free).count(), 45 - 11);
    assert!(config.settings().get("generations").is_none());
}

#[test]
fn errors_name_line_and_key_and_what_is_allowed() {
    let unknown = wrong("depth = 1", "deepth = 1");
    assert!(unknown.contains("line 11") && unknown.contains("deepth"), "{unknown}");
    assert!(unknown.contains("`by`, `games`, `depth`"), "{unknown}");
    let variant = wrong("uniform", "two-point");
    assert!(variant.contains("line 17") && variant.contains("one-point"), "{variant}");
    let missing = wrong("by = \"round-robin\"", "");
    assert!(missing.contains("missing field `by`"), "{missing}");
    assert!(wrong("games = 2", "games = 3").starts_with("fitness.games = 3: an even number"));
    assert_eq!(wrong("elite = 2", "elite = 4"), "genetic.elite = 4: a number from 0 to 3");
    assert!(
        wrong("mutation = 0.02", "mutation = 2").starts_with("genetic.mutation = 2: a number from 0 to 1")
    );
    assert!(wrong("\"stability\"", "\"stab\"").contains("no parameter 'stab'; it has squares-early-a1"));
    assert!(
        wrong("[\"untuned\"]", "[\"published\"]").starts_with("include: ga-minimax has no published values")
    );
    assert!(
        wrong("\"stability\"]", "\"squares\", \"moves\", \"frontier\", \"discs\", \"stability\"]")
            .contains("nothing to tune")
    );
    assert_eq!(
        wrong("[fitness]", "[fixed]\nstability = 300\n[fitness]"),
        "fixed: stability = 300: a whole number from 0 to 255"
    );
    assert_eq!(
        wrong("generations = 3", "generations = 3\nmethod = \"cma-es\""),
        "a table [cma-es] is missing"
    );
}
