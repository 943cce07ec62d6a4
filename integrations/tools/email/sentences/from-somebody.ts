/**
 * Sentences for mails from somebody that do not mention mail: "Gibt es was von Barbara seit Freitag". Data only. Called by
 * phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

const IS_THERE =
  '(gibt es|gibts|gab es|gabs|ist|kam|hab ich|habe ich) [schon|denn|noch] (was|etwas|irgendwas|irgendetwas) [neues]'
const CAME = '[gekommen|da|reingekommen|eingegangen]'

/** Words that end a name; the words after them say when, where or what about. */
const BEHIND =
  'seit|ab|im|in|am|an|auf|aus|bei|mit|für|über|wegen|zu|zum|zur|um|und|oder|heute|gestern|morgen|gekommen|da|reingekommen|eingegangen|bekommen|gekriegt|erhalten|schon|drin|übrig|noch'
const NAME = `(?!(?:${BEHIND})(?:\\s|$))[^\\s,;.!?:@\\d]{2,40}`
/** A name of up to three words. */
export const SOMEBODY = `${NAME}(?:\\s${NAME}){0,2}?`

export const FROM_SOMEBODY: Phrases['asks'] = [
  {
    says: {
      de: [
        `${IS_THERE} (von|vom) [der|dem|den] {somebody} ${CAME}`,
        `[ist] (von|vom) [der|dem|den] {somebody} [schon] (was|etwas|irgendwas) (gekommen|da|reingekommen|eingegangen)`,
      ],
    },
    yields: true,
    plan: [{ id: 's1', do: 'tool', tool: 'email.list', args: { from: '{somebody}' } }],
  },
  {
    says: {
      de: [
        `${IS_THERE} (von|vom) [der|dem|den] {somebody} ${CAME} seit {when}`,
        `(gibt es|gibts|gab es|gabs|ist|kam|hab ich|habe ich) seit {when} [schon] (was|etwas|irgendwas) [neues] (von|vom) [der|dem|den] {somebody} ${CAME}`,
      ],
    },
    past: true,
    yields: true,
    plan: [{ id: 's1', do: 'tool', tool: 'email.list', args: { from: '{somebody}', since: '{when.from}' } }],
  },
]
