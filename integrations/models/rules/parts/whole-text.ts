/**
 * The part of a request that is told to somebody, from its first word to its last: "danke" and "gern" before it, and "thanks" behind it, are said to whom it
 * goes to. The tagger leaves them out as polite words. Pure. Must not decide what is asked for. Called by by-parts.ts.
 */
import type { TaggedPart } from '../../../extractors/learned/parts.ts'
import { OPENS } from '../../../extractors/message/message-learned.ts'

/** Between whom it goes to and what is told: words of the request itself. */
const LEADS =
  /^(?:[\s,.;:–-]+|(?:(?:back|zurück|please|bitte|mal|kurz|quickly|that|dass|daß|saying|and|und|then|dann|tell|say|sag|sage|schreib\p{L}*|antwort\p{L}*|reply|answer|write|him|her|them|ihm|ihr|ihnen|with|mit|to|auf|an|the|his|their|die|der|den|das|a|an|eine?n?|short|quick|kurze?|note|letter|message|e-?mails?|mails?|nachricht|brief|answer|antwort|this|folgendes)(?![\p{L}\p{N}])))+/iu
/** What a mail is about, or which it is, is nothing that is told. */
const ABOUT =
  /^(?:about|regarding|concerning|from|by|for|on|in|at|re|wegen|über|zu|zum|zur|von|vom|bezüglich|um|am|im)(?!\p{L})/iu

/** A name without the first words of what is told. */
function named(one: TaggedPart): TaggedPart {
  const at = one.part === 'who' ? one.text.search(OPENS) : -1
  return at < 1 ? one : { ...one, text: one.text.slice(0, at), to: one.from + at }
}

/** The same parts for a request that tells nothing, or whose text does not stand behind all others. */
export function withWholeText(parts: readonly TaggedPart[], typed: string): readonly TaggedPart[] {
  const told = parts.find(({ part }) => part === 'text')
  const others = parts.filter(({ part }) => part !== 'text').map(named)
  const before = Math.max(0, ...others.map(({ to }) => to))
  if (told === undefined || others.length === 0 || before > told.from || others.length < parts.length - 1)
    return parts
  const between = typed.slice(before, told.from)
  const own = between.slice(LEADS.exec(between)?.[0].length ?? 0)
  const from = /\p{L}/u.test(own) && !ABOUT.test(own) ? told.from - own.length : told.from
  const to = typed.trimEnd().length
  return [...others, { part: 'text', text: typed.slice(from, to), from, to }]
}
