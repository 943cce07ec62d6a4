/**
 * Sentences that have somebody told something, without mentioning mail: "tell Sarah I'll be late", "sag Tom, dass …". Sends a
 * mail to a contact after an approval. The message must look like a sentence, so that "tell Sarah the truth" does not match. Data
 * only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'

/** Maximum UTF-16 units: a longer text is no casual message. */
const MOST = 600
const WHO = "(?:i|we|it|there|he|she|they)(?:['’]?(?:m|ll|ve|re|d|s))?"
const THING = '(?:the|my|our|her|his|their|your) [^,;:!?]{1,60}?'
const VERB =
  "(?:is|isn['’]?t|are|aren['’]?t|was|were|has|hasn['’]?t|have|had|will|won['’]?t|can|can['’]?t|cannot|got|arrived|came|works|starts|begins|ends|needs|looks|takes)"
/** Must be a sentence: "to call me" and "what to do" are none. */
const MORE = `[\\s\\S]{1,${MOST}}?[^?]`
export const NEWS = `(?:(?:${WHO}|(?:yes|no|thanks|thank you|sorry|happy)(?:,| i| we| but| for| that| to)) ${MORE}|${THING} ${VERB}(?: ${MORE})?|thanks|thank you|yes|no)`
/** German word order with the verb last, unless it says what somebody shall do. */
export const GERMAN_NEWS = `(?:(?:ich|wir|es|danke|ja|nein|leider|(?:der|die|das|mein[a-z]{0,2}|unser[a-z]{0,2}) [^,;:!?]{1,60}? (?:ist|sind|war|hat|haben|kommt|wird|kann|fällt|geht|läuft))[, ]${MORE}|danke|ja|nein)`

const NOT_ME = '!(me|us|him|her|them|it|you|everyone|everybody|people|mir|uns|ihm|ihr|ihnen|allen|dir)'

function sending(text: string, form = 'whole') {
  return [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.send' },
      args: {
        to: '{whom}',
        subject: `{${text}.${form === 'main' ? 'main_head' : 'head'}}`,
        body: `{${text}.${form}}`,
      },
    },
  ] as const
}

export const CASUAL_MESSAGE: Phrases['asks'] = [
  {
    says: {
      en: [`tell ${NOT_ME} {whom} [that] {news}`, `let ${NOT_ME} {whom} know [that] {news}`],
    },
    plan: sending('news'),
  },
  {
    says: {
      de: [
        `(sag|sage) ${NOT_ME} {whom} [bescheid] dass {topic}`,
        `(gib|gebe) ${NOT_ME} {whom} bescheid dass {topic}`,
        `(richte|richt) ${NOT_ME} {whom} aus dass {topic}`,
      ],
    },
    plan: sending('topic', 'main'),
  },
  {
    says: {
      de: [
        `(sag|sage) ${NOT_ME} {whom} [bescheid] {news_de}`,
        `(gib|gebe) ${NOT_ME} {whom} bescheid {news_de}`,
      ],
    },
    plan: sending('news_de'),
  },
]
