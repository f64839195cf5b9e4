//! Walls as lines: what they hide, and ways round their ends.
//!
//! In:   two places.
//! Out:  whether nothing stands between; the shortest way round the ends of walls.
//! Cost: a walk over the walls; for a way, the square of the number of corners.

use throng::kit::geometry::distance;
use throng::mind::prelude::*;

/// How far from a wall a body goes round its end.
const CORNER: f32 = 0.7;

/// All walls, each from one end to the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    lines: Vec<(Position, Position)>,
    /// Places to go round by.
    corners: Vec<Position>,
}

impl Walls {
    pub(crate) fn new(lines: &[[f32; 4]]) -> Self {
        let lines: Vec<(Position, Position)> =
            lines.iter().map(|&[x, y, u, v]| ([x, y, 0.0], [u, v, 0.0])).collect();
        let mut walls = Walls { lines, corners: Vec::new() };
        let around = walls
            .lines
            .iter()
            .flat_map(|&(from, to)| round(from, to).into_iter().chain(round(to, from)));
        let free: Vec<Position> =
            around.filter(|&place| walls.has_room(place, CORNER * 0.6)).collect();
        walls.corners = free;
        walls
    }

    /// Whether nothing stands between two places.
    pub(crate) fn is_clear(&self, from: Position, to: Position) -> bool {
        !self.lines.iter().any(|&(a, b)| cross(from, to, a, b))
    }

    /// Whether no wall is so near.
    pub(crate) fn has_room(&self, place: Position, radius: f32) -> bool {
        self.lines.iter().all(|&(a, b)| to_line(place, a, b) >= radius)
    }

    /// The corners on the shortest way, with its end, and how long it is.
    pub(crate) fn way(&self, from: Position, to: Position) -> Option<(Vec<Position>, f32)> {
        if self.is_clear(from, to) {
            return Some((vec![to], distance(from, to)));
        }
        // Plain Dijkstra over the corners, the beginning (0) and the end (last).
        let mut places = vec![from];
        places.extend(&self.corners);
        places.push(to);
        let end = places.len() - 1;
        let (mut far, mut before) = (vec![f32::INFINITY; places.len()], vec![0; places.len()]);
        let mut open: Vec<usize> = (0..places.len()).collect();
        far[0] = 0.0;
        while let Some(at) = open.iter().position_min(|&it| far[it]) {
            let here = open.swap_remove(at);
            if here == end || far[here].is_infinite() {
                break;
            }
            for &next in &open {
                let along = far[here] + distance(places[here], places[next]);
                if along < far[next] && self.is_clear(places[here], places[next]) {
                    (far[next], before[next]) = (along, here);
                }
            }
        }
        if far[end].is_infinite() {
            return None;
        }
        let mut way = Vec::new();
        let mut at = end;
        while at != 0 {
            way.push(places[at]);
            at = before[at];
        }
        way.reverse();
        Some((way, far[end]))
    }
}

/// The position of the smallest; of equals the first.
trait PositionMin: Iterator + Sized {
    fn position_min(self, of: impl Fn(Self::Item) -> f32) -> Option<usize> {
        let all = self.map(of).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}

impl<I: Iterator> PositionMin for I {}

/// Two places beside the end of a wall.
fn round(end: Position, other: Position) -> [Position; 2] {
    let length = distance(end, other).max(0.001);
    let (x, y) = ((end[0] - other[0]) / length * CORNER, (end[1] - other[1]) / length * CORNER);
    [[end[0] + x - y, end[1] + y + x, 0.0], [end[0] + x + y, end[1] + y - x, 0.0]]
}

/// On which side of a line a place is.
fn side(place: Position, a: Position, b: Position) -> f32 {
    (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0])
}

/// Whether two lines cross.
fn cross(a: Position, b: Position, c: Position, d: Position) -> bool {
    side(c, a, b) * side(d, a, b) < 0.0 && side(a, c, d) * side(b, c, d) < 0.0
}

/// How far a place is from a line.
fn to_line(place: Position, a: Position, b: Position) -> f32 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let along = ((place[0] - a[0]) * x + (place[1] - a[1]) * y) / (x * x + y * y).max(0.001);
    let along = along.clamp(0.0, 1.0);
    distance(place, [a[0] + x * along, a[1] + y * along, 0.0])
}
