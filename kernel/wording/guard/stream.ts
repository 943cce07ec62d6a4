/**
 * The guard over a text that arrives in pieces: the output is independent of the pieces, and nothing is output before it was
 * checked. The text is divided by content alone: at a blank line, unless a secret could continue after it, or after `MAX_HELD`
 * units. Pure. answer.ts uses it for whole texts as well, so that there is one guard.
 */
import { plainText } from './plain.ts'
import { unfinishedSecret } from './secrets.ts'
import { squeeze } from './spans.ts'
import { createJudge, type GuardContext, guardUnit } from './unit.ts'

/**
 * Maximum UTF-16 units that are held back: a text without paragraphs must not fill the memory. Larger than any answer, so that
 * no honest one is divided here: a quoted mail is one stretch.
 */
export const MAX_HELD = 65_536

interface GuardStream {
  /** The text that may be shown after this piece; often empty. */
  push(piece: string): string
  /** The rest. Do not push after it. */
  end(): string
}

const BLANK_LINE = /\n[ \t\r]*\n/g
/** UTF-16 units before a blank line that are examined for the beginning of a secret. */
const LOOK_BACK = 4_096

export function createGuardStream(context: GuardContext): GuardStream {
  const judge = createJudge(context)
  let held = ''
  /** No stretch ends before this position. */
  let looked = 0
  let drafting = false
  let begun = false

  const release = (stretch: string): string => {
    const guarded = guardUnit(stretch, judge, drafting)
    drafting = guarded.drafting
    const text = begun ? guarded.text.replace(/^(?:[ \t]*\n)+/, '') : guarded.text.trimStart()
    if (text === '') return ''
    const lead = begun ? '\n\n' : ''
    begun = true
    return lead + text
  }

  const nextStretch = (): string | null => {
    const found = stretchEnd(held, looked, judge.known)
    looked = found.looked
    const cut = found.cut ?? (held.length < MAX_HELD ? null : forcedCut(held, judge.known))
    if (cut === null) return null
    held = cut.rest
    looked = 0
    return cut.stretch
  }

  return {
    push(piece) {
      held += piece
      let out = ''
      for (let stretch = nextStretch(); stretch !== null; stretch = nextStretch()) out += release(stretch)
      return out
    },
    end() {
      const out = release(held)
      held = ''
      return out
    },
  }
}

interface Cut {
  readonly stretch: string
  readonly rest: string
}

/** The first blank line within `MAX_HELD` that nothing continues across. */
function stretchEnd(
  held: string,
  looked: number,
  known: GuardContext['known'],
): { readonly cut: Cut | null; readonly looked: number } {
  const most = held.slice(0, MAX_HELD)
  const begins = most.search(/\S/)
  let from = looked
  for (;;) {
    BLANK_LINE.lastIndex = from
    const blank = BLANK_LINE.exec(most)
    // A line that may still become blank is examined again.
    if (blank === null) return { cut: null, looked: Math.max(from, most.lastIndexOf('\n')) }
    const next = blank.index + blank[0].length
    const stretch = most.slice(0, blank.index)
    if (begins !== -1 && begins < blank.index && !isOpen(stretch, known))
      return { cut: { stretch, rest: held.slice(next) }, looked: 0 }
    from = next
  }
}

function isOpen(stretch: string, known: GuardContext['known']): boolean {
  const begun = stretch.lastIndexOf('-----BEGIN')
  if (begun !== -1 && !stretch.includes('-----END', begun)) return true
  return unfinishedSecret(squeeze(plainText(stretch.slice(-LOOK_BACK))).text, known) > 0
}

/** At the last space before a possible beginning of a secret; without any space, at the limit. */
function forcedCut(held: string, known: GuardContext['known']): Cut {
  const most = plainText(held.slice(0, MAX_HELD))
  const rest = held.slice(MAX_HELD)
  const squeezed = squeeze(most)
  const open = unfinishedSecret(squeezed.text, known)
  const safe = open === 0 ? most.length : (squeezed.at[squeezed.text.length - open] ?? 0)
  const space = most.slice(0, safe).search(/\s\S*$/)
  const end = space > 0 ? space : withoutHalf(most, safe > 0 ? safe : most.length)
  return { stretch: most.slice(0, end), rest: most.slice(end) + rest }
}

/** Never inside a surrogate pair. */
function withoutHalf(text: string, end: number): number {
  return end > 1 && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
