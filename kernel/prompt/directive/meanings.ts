/**
 * The meanings that words can have in a directive to the assistant, each with a
 * number. Data only. Called by the lexicon and by features.ts.
 */

/** Meaning of a word in a directive. */
export type Tag = (typeof TAGS)[number]
export const TAGS = [
  ...([
    'drop',
    'end',
    'wipe',
    'prior',
    'told',
    'all',
    'orders',
    'prompt',
    'above',
    'ask',
    'exactly',
  ] as const),
  ...([
    'opening',
    'barred',
    'you',
    'my',
    'be',
    'machine',
    'product',
    'maker',
    'free',
    'mode',
    'switched',
  ] as const),
  ...(['claim', 'now', 'secret', 'personal', 'user', 'imagine', 'must', 'say', 'instead', 'canyou'] as const),
  ...(['that', 'task', 'send', 'hoard', 'reader', 'obey', 'fresh', 'stated'] as const),
]

/** Words separated by `|`; `*` at the end of a word stands for any ending. */
export type Lexicon = Readonly<Partial<Record<Tag, string>>>

/** Number of a meaning, below 64. */
export function numberOf(tag: Tag): number {
  return TAGS.indexOf(tag)
}
