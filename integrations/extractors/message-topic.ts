/**
 * What a message is about, in the owner's own words: the title of an appointment, the fact to keep, the thing
 * to look for. Must not add a word. Called by message.ts.
 */

/** Longest title of an appointment and longest topic, in characters (MESSAGE_FIELDS: 2,000). */
const TITLE_MAX = 200
const TOPIC_MAX = 2_000
/** Rounds of stripping leftovers from a title: each takes one word. */
const ROUNDS = 12

const NAMED = /\b(?:called|named|titled|entitled)\s+(\S.{0,199})/i
const QUOTED = /["“]([^"“”]{1,200})["”]/
/** What stands around a title and is none of it, in any request. */
const LEADING = 'an?|the|me|in|on|my|some|for|to|time to|new|and|,|:|-'
const TRAILING = 'please|pls|on|at|from|for|in|by|this|next|to|until|till|and|,|-|–'
const MARKS = /^[\s,;:.!?"“”'-]{1,40}|[\s,;:.!?"“”-]{1,40}$/g

/** Sources of patterns for what else stands before a title, and behind it. */
export interface Around {
  readonly before: string
  readonly behind: string
}

/** `rest` is the request after its verb, with words about time blanked. Null when nothing is left. */
export function titleOf(rest: string, email: string | null, around: Around): string | null {
  const whole = rest.replace(email ?? '\u0000', ' ')
  const own = NAMED.exec(whole)?.[1] ?? QUOTED.exec(whole)?.[1] ?? whole
  const title = strip(own.replace(/\s+/g, ' ').slice(0, TITLE_MAX), around)
  return title === '' ? null : title.charAt(0).toUpperCase() + title.slice(1)
}

/** A fact is kept whole or not at all: half of one may say the opposite. */
export function factOf(rest: string | null): string | null {
  const fact = (rest ?? '').trim()
  return fact === '' || fact.length > TOPIC_MAX ? null : fact
}

export function subjectOf(rest: string | null): string | null {
  const subject = (rest ?? '').trim().slice(0, TOPIC_MAX).replace(MARKS, '')
  return subject === '' ? null : subject
}

function strip(text: string, { before, behind }: Around): string {
  const leading = new RegExp(`^(?:${LEADING}|${before})\\s+`, 'i')
  const trailing = new RegExp(`(?:^|\\s)(?:${TRAILING}|${behind})$`, 'i')
  let title = text.replace(MARKS, '')
  for (let round = 0; round < ROUNDS; round++) {
    const next = title.replace(trailing, '').replace(leading, '').replace(MARKS, '')
    if (next === title) return title
    title = next
  }
  return title
}
