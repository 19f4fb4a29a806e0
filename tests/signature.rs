//! The signature of the search: the same for every build on every machine.

use ollehto::rules::Rules;
use ollehto::tools::bench;

fn signature(rules: Rules) -> u64 {
    bench::positions().into_iter().map(|position| bench::nodes(position, rules, bench::DEPTH)).sum()
}

/// Changes with the search and the evaluation. Take the new numbers from `ollehto bench` and state them in the commit.
#[test]
fn the_search_has_its_signature() {
    assert_eq!(signature(Rules::Reversed), 704_042, "reversed");
    assert_eq!(signature(Rules::Standard), 602_558, "standard");
}
