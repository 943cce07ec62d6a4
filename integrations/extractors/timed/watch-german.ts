/**
 * German words of reminders with a condition (DESIGN §9). Data only; times are translated into English.
 * Called by watch.ts.
 */
import { whenInEnglish } from './reminder-german.ts'
import { type WatchWords, WHO } from './watch-words.ts'

const DID = '(?:geantwortet|zurückgeschrieben|geschrieben|reagiert|gemailt|gemeldet)'
const DOES = '(?:antwortet|zurückschreibt|schreibt|reagiert|mailt|meldet)'
const LETTER = '(?:antwort|e-?mail|mail|nachricht|rückmeldung|post)'
const CAME =
  '(?:da ist|da war|gekommen ist|kam|kommt|eingegangen ist|eingeht|eintrifft|angekommen ist|ankommt)'
const IF = '(?:wenn|falls|sofern)'
const ONCE = '(?:wenn|falls|sobald|sofern)'
const ME = '(?:mir |sich |auf meine (?:e-?mail|mail|nachricht|frage) )*'

export const GERMAN_WATCH: WatchWords = {
  lead: '(?:bitte )?(?:erinner(?:e|st du)? mich|sage? mir(?: bitte)?(?: bescheid)?|gib mir(?: bitte)? bescheid|melde? dich|benachrichtige mich|informiere mich|lass mich wissen|schreibe? mir)',
  joins: 'wenn|falls|sofern|sobald|es sei denn',
  absent: [
    `${IF} (?:sich )?${WHO} ${ME}(?:noch |immer noch )?nicht ${ME}${DID} hat`,
    `${IF} (?:sich )?${WHO} ${ME}(?:noch |immer noch )?nicht ${ME}${DOES}`,
    `${IF} (?:immer )?(?:noch )?keine ${LETTER} von ${WHO} ${CAME}`,
    `${IF} (?:noch )?nichts von ${WHO} ${CAME}`,
    `${IF} ich (?:immer )?(?:noch )?(?:nichts|keine ${LETTER}) von ${WHO} (?:gehört|bekommen|erhalten) habe`,
    `${IF} ich (?:noch )?(?:nichts|keine ${LETTER}) von ${WHO} (?:höre|bekomme|erhalte)`,
    `es sei denn,? (?:sich )?${WHO} (?:hat ${ME}${DID}|${DOES}(?: sich| mir)?)`,
  ],
  comes: [
    `${ONCE} (?:sich )?${WHO} ${ME}${DOES}`,
    `sobald (?:sich )?${WHO} ${ME}${DID} hat`,
    `${ONCE} ${WHO} mir eine ${LETTER} (?:schickt|schreibt|sendet)`,
    `${ONCE} (?:eine |die )?(?:neue )?${LETTER} von ${WHO} ${CAME}`,
    `${ONCE} von ${WHO} (?:eine |etwas |was )?(?:neue )?(?:${LETTER} )?${CAME}`,
    `${ONCE} ich (?:eine |etwas |was )?(?:neue )?(?:${LETTER} )?von ${WHO} (?:bekomme|erhalte|höre|habe)`,
  ],
  reminds: '(?:bitte )?erinner(?:e|st du)? mich',
  condition: 'wenn|falls|sofern|es sei denn',
  asks: 'ob|fragen|prüfen|schauen|nachsehen',
  deadlines: /(?<![\p{L}])(?:bis(?: zum)?|spätestens|vor)(?=\s|$|[,.!?])/giu,
  joined: /^(?:daran|an|dass|zu)\s+/iu,
  pronouns: /^(?:er|sie|es)$/iu,
  nobody: /^(?:jemand|niemand|keiner|irgendwer|irgendjemand|man)$/iu,
  inEnglish: whenInEnglish,
}
