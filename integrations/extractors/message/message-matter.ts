/**
 * The subject of a message for which a template of its own exists: a request of its package, or a question
 * about it that only a model can read. Must not plan. Called by message.ts, for messages without an intent of
 * their own.
 */
import type { Matter } from '../../../kernel/powers/message-fields.ts'
import type { Moment } from '../../dates/read.ts'
import type { MatterSpec, Phrases } from '../../tools/phrase.ts'
import { askedIn, wholeSentence } from './message-learned.ts'
import { INTENT_HEAD } from './message-sentence.ts'

export function matterOf(text: string, packages: readonly Phrases[], moment: Moment): Matter | null {
  const head = text.slice(0, INTENT_HEAD).replace(/\s+/g, ' ')
  const mentioned = packages.filter(({ matter }) => matter && patternsOf(matter).mentions.test(head))
  const whole = mentioned.length === 0 ? null : wholeSentence(packages, text)
  // What the whole message asks for is of one package, whichever others have words in it.
  if (whole !== null) return mentioned.find(({ asks }) => asks.includes(whole.phrase))?.matter?.name ?? null
  for (const { matter, asks } of mentioned) {
    if (matter === undefined) continue
    if (askedIn(text, moment).some(({ phrase }) => asks.includes(phrase))) return matter.name
    const { asks: question, but } = patternsOf(matter)
    if (question.test(head.trim()) && !but.test(head)) return matter.name
  }
  return null
}

type Patterns = Readonly<Record<'mentions' | 'asks' | 'but', RegExp>>

const made = new WeakMap<MatterSpec, Patterns>()

/** Compiled once, with the first message that is looked at. */
function patternsOf(matter: MatterSpec): Patterns {
  const known = made.get(matter)
  if (known !== undefined) return known
  const { mentions, asks, but } = matter
  const patterns = {
    mentions: new RegExp(mentions, 'i'),
    asks: new RegExp(asks, 'i'),
    but: new RegExp(but, 'i'),
  }
  made.set(matter, patterns)
  return patterns
}
