/**
 * Word lists of reminders with a condition, by language (DESIGN §10). Types, and the pattern of a name.
 * Called by watch.ts and watch-german.ts.
 */

/** One language: how such a request begins, its conditions, and what leads to a time. */
export interface WatchWords {
  readonly lead: string
  /** How a clause of a condition begins. */
  readonly joins: string
  /** Ways to say that no mail came, and that one comes; `who` is found by name. */
  readonly absent: readonly string[]
  readonly comes: readonly string[]
  /** A condition that is only asked about, if it stands alone behind a request to be reminded. */
  readonly reminds: string
  readonly condition: string
  /** Words before a clause that make it no condition: "to ask if Tom comes". */
  readonly asks: string
  readonly deadlines: RegExp
  readonly joined: RegExp
  readonly pronouns: RegExp
  readonly nobody: RegExp
  readonly inEnglish: (text: string) => string
}

/** A name of up to four words, an address, or both: `Sarah (sarah@example.com)`. */
export const WHO = String.raw`(?<who>[^\s,@]+@[^\s,]+|[\p{L}][\p{L}'’.-]*(?: [\p{L}][\p{L}'’.-]*){0,3}?(?:,? [(<]?[^\s,@()<>]+@[^\s,()<>]+[)>]?,?)?)`
