/**
 * Sentences that answer the sender of the mail just shown, by a pronoun or by the text alone: "tell her the numbers are fine",
 * "reply thanks, all good", "schreib zurück: gern". The card shows the full address. If a mail went to somebody else since, the
 * pronoun is ambiguous and the owner is asked. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { GERMAN_NEWS, NEWS } from './casual-message.ts'
import { replyStep, SHOWN, SHOWN_READ } from './shown-steps.ts'

/** Maximum UTF-16 units: a longer text is no casual message. */
const MOST = 600
const MORE = `(?:[,.!]? [\\s\\S]{1,${MOST}}?)?`
/** First words of an answer. A name is none, so that "reply Tom …" does not match. */
const BEGINS =
  "(?:thanks|thank you|thx|many thanks|cheers|yes|yeah|yep|yup|no|nope|ok|okay|sure|of course|absolutely|certainly|gladly|sorry|apologies|great|perfect|lovely|wonderful|brilliant|fine|good idea|good point|sounds|happy to|glad to|will do|done|agreed|confirmed|noted|received|got it|count me in|i'm in|see you|looking forward|no problem|no worries|not yet|works for|that(?:['’]s| is| works| sounds| would| suits| will| was)|let['’]?s|congratulations|congrats|happy birthday|hi|hello|dear)"
const BEGINNT =
  '(?:danke|vielen dank|herzlichen dank|ja|nein|nee|gern|gerne|klar|ok|okay|passt|prima|super|toll|perfekt|schön|leider|alles klar|geht klar|geht in ordnung|in ordnung|einverstanden|abgemacht|erledigt|mach ich|machen wir|bin dabei|wird gemacht|freut mich|sehr gern|sehr gerne|kein problem|bis (?:dann|morgen|bald|später|gleich)|hallo|liebe[rn]?)'
export const REPLY = `(?:${BEGINS}(?!\\w)${MORE}|${NEWS})`
export const GERMAN_REPLY = `(?:${BEGINNT}(?![\\wäöüß])${MORE}|${GERMAN_NEWS})`

const THEM = '(him|her|them)'
const IHM = '(ihm|ihr|ihnen)'
const BACK = '[back|right back]'

/** Actions that make the pronoun refer to somebody else. */
const TO_THEM = {
  ...SHOWN,
  unsureAfter: ['send', 'send_later', 'reply', 'reply_later', 'forward', 'forward_later'].map(
    (one) => `email.${one}`,
  ),
  stillSureAfter: ['email.reply', 'email.reply_later'],
} as const

const answering = (slot: string) => [SHOWN_READ, replyStep({ body: `{${slot}.whole}` })] as const

export const TO_SENDER: Phrases['asks'] = [
  {
    says: {
      en: [
        `(tell|answer|email|e-mail|mail|write) ${THEM} ${BACK} {reply}`,
        `(reply|respond|write back|answer) to ${THEM} {reply}`,
        `let ${THEM} know {reply}`,
      ],
    },
    shown: TO_THEM,
    plan: answering('reply'),
  },
  {
    says: { de: [`(sag|sage|antworte|antwort|schreib|schreibe) ${IHM} [zurück|bitte|bescheid] {reply_de}`] },
    shown: TO_THEM,
    plan: answering('reply_de'),
  },
  {
    says: {
      en: [
        `(tell|answer|email|e-mail|mail|write) [to] ${THEM} ${BACK} <saying> {topic}`,
        `(tell|answer|email|e-mail|mail|write) [to] ${THEM} ${BACK} : {topic}`,
        `(reply|respond|write back) to ${THEM} <saying> {topic}`,
        `(reply|respond|write back) to ${THEM} : {topic}`,
        `let ${THEM} know that {topic}`,
        `let ${THEM} know : {topic}`,
        `send ${THEM} (a|an) [short|quick] (mail|email|e-mail|message|reply|answer|note|line) <saying> {topic}`,
        `send ${THEM} (a|an) [short|quick] (mail|email|e-mail|message|reply|answer|note|line) : {topic}`,
        `send (a|an) [short|quick] (mail|email|e-mail|message|reply|answer|note|line) to ${THEM} <saying> {topic}`,
        `send (a|an) [short|quick] (mail|email|e-mail|message|reply|answer|note|line) to ${THEM} : {topic}`,
      ],
      de: [
        `(sag|sage|schreib|schreibe|antworte|antwort|mail|maile) ${IHM} [zurück|bitte|bescheid] dass {topic}`,
        `(sag|sage|schreib|schreibe|antworte|antwort|mail|maile) ${IHM} [zurück|bitte] : {topic}`,
        `(gib|gebe) ${IHM} bescheid dass {topic}`,
        `(richte|richt) ${IHM} aus dass {topic}`,
        `(teil|teile) ${IHM} mit dass {topic}`,
        `(schick|schicke) ${IHM} eine (mail|nachricht|antwort) : {topic}`,
        `(schick|schicke) ${IHM} eine (mail|nachricht|antwort) dass {topic}`,
      ],
    },
    shown: TO_THEM,
    plan: answering('topic'),
  },
  {
    says: {
      en: [`(reply|answer|respond|write back) [with] {reply}`],
    },
    shown: SHOWN,
    plan: answering('reply'),
  },
  {
    says: { de: ['(antworte|antwort|(schreib|schreibe) zurück) [mit] {reply_de}'] },
    shown: SHOWN,
    plan: answering('reply_de'),
  },
  {
    says: {
      en: ['write back <saying> {topic}', 'write back : {topic}'],
      de: ['(schreib|schreibe) zurück dass {topic}', '(schreib|schreibe) zurück : {topic}'],
    },
    shown: SHOWN,
    plan: answering('topic'),
  },
]
