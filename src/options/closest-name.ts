/** The name that was probably meant; undefined where none is near. Bounded, also for ten thousand names. */
export function closestName(wanted: string, names: Iterable<string>): string | undefined {
  const target = wanted.toLowerCase();
  const furthest = Math.max(1, Math.floor(target.length / 3));
  let closest: string | undefined;
  let distance = furthest + 1;
  for (const name of names) {
    const candidate = name.toLowerCase();
    if (Math.abs(candidate.length - target.length) >= distance || candidate.length > 100) continue;
    const found = editDistance(target, candidate, distance);
    if (found < distance) {
      closest = name;
      distance = found;
    }
    if (distance === 0) break;
  }
  return closest;
}

/** Letters to add, remove, replace or swap with their neighbour; `limit` when that many or more. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (last[column - 1] ?? limit) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? limit) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    [beforeLast, last] = [last, current];
  }
  return Math.min(limit, last[b.length] ?? limit);
}
