/**
 * The edge has no events and no mail to change, or to look for. Bundled there in place of home-readings.ts (`#home-readings` in
 * package.json).
 */

export function changedLoosely(..._read: readonly unknown[]): null {
  return null
}

export function correctedIn(..._read: readonly unknown[]): null {
  return null
}

export function findPeople(..._read: readonly unknown[]): readonly string[] {
  return []
}

export function repeatedIn(..._read: readonly unknown[]): null {
  return null
}
