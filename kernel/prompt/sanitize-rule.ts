/**
 * A rule of the sanitizer: a pattern in the spelling of a folded view, and the family it counts for (N-19, X-27). A rule
 * describes the form of a directive, never a single word. Contains no rules. Called by the rule files and by sanitize-find.ts.
 */

/**
 * override: drop earlier instructions. identity: be somebody else. marker: chat or prompt format markers. turn: words put into
 * a speaker's mouth. leak: asks for the prompt. authority: claims a right or a mode. address: speaks to any machine reader.
 * fiction: a story that unlocks an answer. secret: asks for a key. flood: one word repeated. hidden: written in invisible
 * characters. boundary: imitates the prompt's own marks.
 */
export const FAMILIES = [
  'override',
  'identity',
  'marker',
  'turn',
  'leak',
  'authority',
  'address',
  'fiction',
  'secret',
  'flood',
  'hidden',
  'boundary',
] as const
export type Family = (typeof FAMILIES)[number]

export interface Rule {
  readonly family: Family
  readonly pattern: RegExp
  /** Each must match within `WINDOW` units of the pattern's start. */
  readonly also: readonly RegExp[]
}

/** UTF-16 units that the parts of one directive span. Bounds the cost of each match. */
export const WINDOW = 420

/** One pattern, or the first part of a directive and what must follow it. */
type Source = string | readonly [first: string, ...also: string[]]

/**
 * A space in a source matches a space or a line break; the view has at most one. Gaps must be bounded and unambiguous, so that
 * a rule's cost is linear in the text.
 */
export function rules(family: Family, ...sources: readonly Source[]): readonly Rule[] {
  return sources.map((source) => {
    const [first, ...also] = typeof source === 'string' ? [source] : source
    return { family, pattern: compile(first, 'gmu'), also: also.map((one) => compile(one, 'mu')) }
  })
}

/** Spaces inside a character class stay as they are. */
const CLASS_OR_BLANK = /\[(?:\\.|[^\]\\])*\]|\\.| /g

function compile(source: string, flags: string): RegExp {
  const spaced = source.normalize('NFKC').replace(CLASS_OR_BLANK, (part) => (part === ' ' ? '[ \\n]' : part))
  return new RegExp(spaced, flags)
}
