/**
 * Parses the answers to the questions of `pfar init`: names, a time zone, yes or no. Pure. Must not guess: for null the question
 * is asked again. Called by the steps.
 */
import * as z from 'zod/mini'
import { namesIn } from '../../kernel/features/persona/names-in.ts'
import { zoneOf } from '../../kernel/features/zone/places.ts'
import { withoutPasted } from '../../kernel/wording/guard/pasted.ts'
import { PERSONA_NAME, PERSONA_STYLE } from '../persona/persona.ts'

export interface Assistant {
  readonly name: string
  readonly style: string | null
}

export interface Names {
  readonly owner: string | null
  readonly assistant: Assistant | null
}

/** Letters of any script; UTF-16 units as in the owner's file. */
const OWNER_NAME = /^\p{L}[\p{L}\p{M}\p{N} '’._-]{0,79}$/u
const NO_NAME = /^(?:y|yes|ok|okay|ja?|sure|klar|skip|weiter)$/i

/** `Nora`, `Nora, Ada`, `Nora, Ada: dry and short`, `Ada: dry` for the assistant alone, or a sentence that gives names. */
export function namesGiven(answer: string): Names | null {
  if (withoutPasted(answer).found) return null
  const sentence = namesIn(answer)
  if (sentence !== null) {
    const { owner, assistant, style } = sentence
    if (assistant === null) return style === null ? { owner, assistant } : null
    const said = assistantIn(style === null ? assistant : `${assistant}: ${style}`)
    return said === null ? null : { owner, assistant: said }
  }
  const [first = '', ...others] = answer.split(',')
  const own = others.length === 0 && answer.includes(':') ? '' : first.trim()
  const rest = own === '' ? answer : others.join(',').trim()
  const assistant = rest === '' ? null : assistantIn(rest)
  if ((rest !== '' && assistant === null) || NO_NAME.test(own)) return null
  if (own === '') return assistant === null ? null : { owner: null, assistant }
  return OWNER_NAME.test(own) ? { owner: own, assistant } : null
}

/** `Ada`, or `Ada: dry and short`. Null without a name, for too long a style, and for text with a key or a token. */
export function assistantIn(answer: string): Assistant | null {
  const [, said = '', manner = ''] = /^([^:]*)(?::(.*))?$/.exec(answer) ?? []
  const name = z.safeParse(PERSONA_NAME, said.trim())
  const style = manner.trim() === '' ? null : z.safeParse(PERSONA_STYLE, manner.trim())
  if (!name.success || style?.success === false || withoutPasted(answer).found) return null
  return { name: name.data, style: style?.data ?? null }
}

/**
 * Common names of time zones, mapped to the place where most people who use the name live: the IANA zones with these names have
 * no summer time, or belong to another place.
 */
const CLOCKS: Readonly<Record<string, string>> = {
  ...{ cet: 'Europe/Berlin', cest: 'Europe/Berlin', mez: 'Europe/Berlin', mesz: 'Europe/Berlin' },
  ...{ gmt: 'Europe/London', bst: 'Europe/London', wet: 'Europe/Lisbon', eet: 'Europe/Athens' },
  ...{ et: 'America/New_York', est: 'America/New_York', edt: 'America/New_York' },
  ...{ ct: 'America/Chicago', cst: 'America/Chicago', cdt: 'America/Chicago' },
  ...{ mt: 'America/Denver', mst: 'America/Denver', mdt: 'America/Denver' },
  ...{ pt: 'America/Los_Angeles', pst: 'America/Los_Angeles', pdt: 'America/Los_Angeles' },
  ...{ jst: 'Asia/Tokyo', utc: 'UTC' },
}

/** An IANA zone (`europe/berlin` becomes `Europe/Berlin`), a city or country as in chats, or a common name such as `CET`. */
export function zoneIn(answer: string): string | null {
  const said = answer
    .trim()
    .replace(/[.!]+$/, '')
    .replace(/^(?:(?:i am|i'm|i live|ich bin|ich wohne|ich lebe) )?in /i, '')
  const [city = ''] = said.split(',')
  return CLOCKS[said.toLowerCase()] ?? zoneOf(said) ?? zoneOf(city)
}

const YES = /^(?:y|yes|yep|ja?|jo|jep)$/iu
/** A no, "none" or "not yet", with words that may accompany them: "nö, erstmal nicht", "no thanks", "keine". */
const NO =
  /^(?:(?:n|no|nope|nah|none|later|not (?:now|yet)|skip(?: (?:it|this))?|maybe later|no(?:,| )? ?thanks|nein|nee?|nö|noe|nein danke|keine[nrs]?|kein(?: \p{L}+)?|später|spaeter|(?:noch|erst ?mal|erst einmal|jetzt|gerade|lieber|das mach ich|mach ich|vielleicht|ein andermal)(?: (?:noch|jetzt|lieber|mal|später|spaeter|nicht|keine[nrs]?|ohne))*|überspringen|weiter|ohne|nicht(?: jetzt| nötig)?|brauch(?:e)? ich (?:jetzt |erst ?mal )?nicht|hab(?:e)? ich (?:nicht|keine[nrs]?)|danke)(?:[\s,]+|$))+$/iu

/** Null for anything but yes or no, in any language; "later" and "none" mean no. */
export function yesIn(answer: string): boolean | null {
  const said = answer.trim().replace(/[\s.!]+$/, '')
  if (YES.test(said)) return true
  return said !== '' && NO.test(said) ? false : null
}
