/**
 * What a rule of the sanitizer is: a form of words, in the spelling of a folded view, and the family it counts for
 * (N-19, X-27). A rule describes a directive's form, never a mere word. Holds no rule. Called by the rule files and by
 * sanitize-find.ts.
 */

/**
 * override: earlier instructions are to be dropped. identity: the reader is to be somebody else. marker: signs of a chat
 * or prompt format. turn: words put into a speaker's mouth. leak: the prompt is asked for. authority: a claimed right or
 * mode. address: words to whatever machine reads. fiction: a story that unlocks an answer. secret: a key is asked for.
 * flood: one word over and over. hidden: written in invisible characters. boundary: an imitation of a prompt's own marks.
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
  /** Each of these must follow within `WINDOW` units of where the pattern begins. */
  readonly also: readonly RegExp[]
}

/** UTF-16 units in which the parts of one directive stand: a bound on what each hit costs. */
export const WINDOW = 420

/**
 * A blank in `source` is a blank or a line break; the view has one at most. Gaps must be bounded and must not be able to
 * match in two ways, so that a rule costs no more than its text is long.
 */
export function rule(family: Family, source: string, ...also: readonly string[]): Rule {
  return { family, pattern: compile(source, 'gmu'), also: also.map((one) => compile(one, 'mu')) }
}

/** Blanks in a class of characters stay what they are. */
const CLASS_OR_BLANK = /\[(?:\\.|[^\]\\])*\]|\\.| /g

function compile(source: string, flags: string): RegExp {
  const spaced = source.normalize('NFKC').replace(CLASS_OR_BLANK, (part) => (part === ' ' ? '[ \\n]' : part))
  return new RegExp(spaced, flags)
}
