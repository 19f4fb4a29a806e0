//! The kernels against a walk over the rays, and what must hold of any board.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

/// Flips by walking square by square, as a person would find them.
fn walked_flips(board: Board, square: Square) -> Bitboard {
    let mut flips = Bitboard::EMPTY;
    for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let mut run = Bitboard::EMPTY;
        let (mut column, mut row) = (square.column() as i8 + right, square.row() as i8 + down);
        while let (Ok(c), Ok(r)) = (u8::try_from(column), u8::try_from(row))
            && let Some(here) = Square::at(c, r)
        {
            if board.other().contains(here) {
                run |= here.into();
            } else {
                if board.own().contains(here) {
                    flips |= run;
                }
                break;
            }
            (column, row) = (column + right, row + down);
        }
    }
    flips
}

fn check_kernels(board: Board) {
    let area = Size::Eight.squares();
    let mut walked_moves = Bitboard::EMPTY;
    for square in area - board.discs() {
        let walked = walked_flips(board, square);
        if !walked.is_empty() {
            walked_moves |= square.into();
        }
        assert_eq!(board.flips(square), walked, "{square} on {board:?}");
        let portable = kernel::portable::flips(board.own.0, board.other.0, square);
        assert_eq!(Bitboard(portable), walked, "portable {square} on {board:?}");
        #[cfg(avx512)]
        assert_eq!(
            Bitboard(kernel::simd::flips_by_avx2(board.own.0, board.other.0, square)),
            walked,
            "AVX2 on {board:?}"
        );
        let next = board.after(square, walked);
        let both = board.after_with_moves(square, area - next.discs());
        assert_eq!(both, (next, next.moves(area)), "{square} on {board:?}");
        for size in Size::ALL.into_iter().filter(|size| size.squares().contains(square)) {
            let (own, rest) = (board.own & size.squares(), size.squares() - board.own - square.into());
            let filled = Board { own, other: rest };
            let gain = match [filled, filled.passed()].map(|filled| walked_flips(filled, square).len() as i32)
            {
                [0, taken] => -taken,
                [flipped, _] => flipped + 1,
            };
            assert_eq!(filled.last_gain(square, size), gain, "last {square} on {filled:?}");
            let portable = kernel::portable::last_gain(own.0, rest.0, square, size);
            assert_eq!(portable, gain, "portable last {square} on {filled:?}");
        }
    }
    assert_eq!(board.moves(area), walked_moves, "{board:?}");
    let portable = Bitboard(kernel::portable::moves(board.own.0, board.other.0));
    assert_eq!(portable & (area - board.discs()), walked_moves, "portable on {board:?}");
    for square in [walked_moves.first(), walked_moves.last()].into_iter().flatten() {
        check_vector_board(board, square);
    }
    let portable = kernel::portable::stable(board.own.0, board.discs().0, area.0);
    assert_eq!(board.stable(area), Bitboard(portable), "{board:?}");
}

/// A [`VectorBoard`] does the same as a [`Board`].
fn check_vector_board(board: Board, square: Square) {
    let (vector, next) = (VectorBoard::from(board), board.after(square, board.flips(square)));
    assert_eq!(vector.flips(square), board.flips(square), "{square} on {board:?}");
    assert_eq!(vector.play(square).map(VectorBoard::board), Some(next), "{square} on {board:?}");
    for (after, plain) in [(vector.after(square), next), (vector.after(square).passed(), next.passed())] {
        assert_eq!(after.board(), plain, "{square} on {board:?}");
        if let Some(reply) = (Size::Eight.squares() - next.discs()).first() {
            assert_eq!(after.flips(reply), walked_flips(plain, reply), "{reply} on {plain:?}");
            assert_eq!(after.play(reply).map(VectorBoard::board), plain.play(reply), "{reply} on {plain:?}");
        }
    }
}

#[test]
fn kernels_agree_with_a_walk_over_the_rays() {
    // A multiplicative generator of fixed seed: the boards must never change with a release of some crate.
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // An emulator is given fewer cases.
    let boards = if cfg!(miri) { 30 } else { 4000 * ProptestConfig::default().cases };
    for round in 0..boards as usize {
        let (a, b, c) = (random(), random(), random());
        // Sparse, half full and crowded boards in turn.
        let filled = [a & b, a, a | b][round % 3];
        check_kernels(Board { own: Bitboard(filled & c), other: Bitboard(filled & !c) });
    }
}

fn boards() -> impl Strategy<Value = Board> {
    (any::<u64>(), any::<u64>())
        .prop_map(|(filled, split)| Board { own: Bitboard(filled & split), other: Bitboard(filled & !split) })
}

proptest! {
    #[test]
    fn moves_turn_with_the_board(board in boards(), index in 0_usize..8) {
        let symmetry = Symmetry::ALL[index];
        let area = Size::Eight.squares();
        prop_assert_eq!(symmetry.map(board.moves(area)), symmetry.map_board(board).moves(area));
    }

    #[test]
    fn a_move_adds_one_disc_and_turns_the_flips(board in boards()) {
        for square in board.moves(Size::Eight.squares()) {
            let flips = board.flips(square);
            let next = board.play(square).expect("generated moves are legal");
            prop_assert_eq!(next.discs().len(), board.discs().len() + 1);
            prop_assert_eq!(next.other().len(), board.own().len() + flips.len() + 1);
            prop_assert_eq!(next.own().len() + flips.len(), board.other().len());
        }
    }

    #[test]
    fn different_boards_hash_differently(a in boards(), b in boards()) {
        prop_assume!(a != b);
        prop_assert_ne!(a.hash(), b.hash());
        if a.own != a.other {
            prop_assert_ne!(a.hash(), a.passed().hash());
        }
    }
}

/// All boards that moves lead to from a position, down to so many moves on.
fn tree(board: Board, depth: u8, found: &mut HashSet<Board>) {
    if found.insert(board) && depth > 0 {
        for square in board.moves(Size::Eight.squares()) {
            tree(board.play(square).expect("legal"), depth - 1, found);
        }
    }
}

#[test]
fn hashes_of_neighbouring_boards_meet_no_more_often_than_chance() {
    let near_the_end = Board { own: Bitboard(0x0080_80c0_c48c_8080), other: Bitboard(0x0010_783f_3b73_7e79) };
    for root in [Board::START, near_the_end] {
        let mut boards = HashSet::new();
        tree(root, 8, &mut boards);
        let pairs = (boards.len() as f64).powi(2) / 2.0;
        // Each of these takes part in finding a place, or in telling what is found there from other boards.
        for (shift, bits) in [(0, 32), (16, 32), (32, 32), (0, 24), (40, 24)] {
            let part = |board: &Board| board.hash() >> shift & ((1 << bits) - 1);
            let different = boards.iter().map(part).collect::<HashSet<_>>().len();
            let meetings = (boards.len() - different) as f64;
            let expected = pairs / f64::from(bits).exp2();
            assert!(
                meetings < expected + 5.0 * expected.sqrt() + 5.0,
                "{meetings} for {expected:.1} among {} at {shift}",
                boards.len()
            );
        }
    }
}

#[test]
fn the_start_position_has_four_moves_on_every_board() {
    for size in Size::ALL {
        let position = Position::start(size);
        let names: Vec<_> = position.moves().into_iter().map(|s| s.to_string()).collect();
        assert_eq!(names, ["D3", "C4", "F5", "E6"]);
    }
}

#[test]
fn illegal_moves_are_refused() {
    let start = Position::start(Size::Eight);
    assert_eq!(start.play(Move::Pass), None);
    assert_eq!(start.play(Move::Place(Square::A1)), None);
    assert_eq!(start.play(Move::Place(Square::D4)), None);
    assert!(start.play(Move::Place(Square::D3)).is_some());
}

/// Discs that stay whatever is played from here on, by playing everything. Passing at will is allowed, which only makes
/// fewer discs stay.
fn lasting(board: Board, area: Bitboard) -> Bitboard {
    let mut lasting = board.own();
    for (mover, own_moves) in [(board, true), (board.passed(), false)] {
        for square in mover.moves(area) {
            let next = mover.play(square).expect("legal");
            lasting &= lasting_after(next, own_moves, area);
        }
    }
    lasting
}

fn lasting_after(next: Board, own_moved: bool, area: Bitboard) -> Bitboard {
    lasting(if own_moved { next.passed() } else { next }, area)
}

#[test]
fn stable_discs_never_turn() {
    let mut state = 99_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    for size in Size::ALL {
        let area = size.squares();
        for _ in 0..400 {
            let split = Bitboard(random() ^ random() << 32);
            let squares: Vec<_> = area.into_iter().collect();
            let holes: Bitboard = (0..5).map(|_| squares[random() as usize % squares.len()]).collect();
            let board = Board { own: (area & split) - holes, other: (area - split) - holes };
            let stable = board.stable(area);
            let portable = kernel::portable::stable(board.own.0, board.discs().0, area.0);
            assert_eq!(stable, Bitboard(portable), "{board:?}");
            assert!((stable - lasting(board, area)).is_empty(), "{board:?}");
        }
    }
    let full = Board { own: Bitboard(0xff), other: Bitboard(!0xff) };
    assert_eq!(full.stable(Size::Eight.squares()), Bitboard(0xff), "nothing turns on a full board");
    let corner = Board { own: Bitboard(0x0307), other: Bitboard(0xf8) };
    assert_eq!(corner.stable(Size::Eight.squares()), Bitboard(0x0307), "discs lean on a corner");
}
