/**
 * What somebody says about the day, and that asks for nothing: "just got home, dead on my feet". Must not take in a request, a fact to keep, or anything
 * with a time that could be an appointment's. Called by message.ts for what nothing else reads.
 */
import { type Moment, readDates } from '../dates/read.ts'
import { saysSecond } from './message-coverage.ts'
import { notUnderstood } from './message-learned.ts'

/** UTF-16 units: what is longer is no remark. */
const LONGEST = 300
/** Words: what is longer tells something that may matter. */
const MOST = 30
/** A score of a request with which a sentence is no talk, whatever it begins with. */
const NEAR = 11
const BEGINS =
  /^(?:(?:well|ugh|oh|god|man|wow|omg|gosh|puh|boah|ach|na|so|phew|right|anyway|finally|endlich|lol|haha|honestly|ok|okay)[\s,!.]+)*(?:i|i'm|im|i've|ive|we|we're|were|we've|it|it's|its|that|that's|thats|this|they|they're|nobody|everyone|everybody|what a|what an|such|just|really|played|slept|feeling|third|another|bei uns|bei mir|ich|wir|das|es|heute|kein|keine|null|jetzt|mir|boah|was für|hab|bin(?! (?:off|the|it|that|all|my)\b)|war|my (?:back|head|feet|legs|eyes|day|god|brain)|mein (?:rücken|kopf|tag))(?![\p{L}'])/iu
/** How somebody is, and what the day is like. */
const OF_THE_DAY =
  /(?<!\p{L})(?:tired|knackered|exhausted|shattered|asleep|dead on my feet|im dead|i'm dead|ghost|hungry|starving|bored|freezing|happy|over it|killing me|headache|long day|what a|day off|got home|just got in|wine|coffee|cuppa|beer|lovely|beautiful|gorgeous|quiet|hate|love|lol|played|slept|müde|kaputt|fertig|platt|hunger|langweilig|bock|lust|kaffee|wein|bier|feierabend|wochenende|schön\p{L}*|blüht|liebeskummer|kopfweh|kopfschmerzen)(?!\p{L})/iu
/** Wants, asks or tells of something that could be done. */
const WANTS =
  /[?\d@:]|(?<!\p{L})(?:need|needs|want|wants|must|should|have to|has to|had to|got to|gotta|could you|can you|please|remember|forget|forgot|appointment|meeting with|called me|owe|owes|due|deadline|cancel\p{L}*|moved|changed|late|lost|cant find|can't find|where|when|which|how|who|if|br(?:au|äu)ch\p{L}*|muss\p{L}*|soll\p{L}*|sollte|bitte|vergess\p{L}*|termin\p{L}*|verschoben|abgesagt|fällig|wollte\p{L}*|kümmer\p{L}*|gehört|erledig\p{L}*|sort|fix|deal with|get rid|bin|accept|decline|invit\p{L}*|newsletters?|e?-?mails?|meetings?|training|sport|alle|keinen? mehr|kann nicht|komm\p{L}* nicht|nicht zu[rm]|list|overview|briefing|undo|restore|go ahead|allergic|live|lives|work at|called|wenn|falls|wann|wo|wer|wie|ob)(?!\p{L})/iu

export function isTalk(text: string, moment: Moment): boolean {
  if (text.length > LONGEST) return false
  const words = text.trim().split(/\s+/)
  if (words.length < 3 || words.length > MOST || !BEGINS.test(text) || WANTS.test(text)) return false
  if (!OF_THE_DAY.test(text) || saysSecond(`. ${text}`) || saysSecond(text.replaceAll(', ', '. ')))
    return false
  const { span } = readDates(text, moment)
  // Today is what is talked about; another day may be asked about.
  if (span !== null && moment.zone.dayOf(span.from) !== moment.zone.dayOf(moment.now)) return false
  const read = notUnderstood(text, moment)
  return read !== null && read.near < NEAR && read.lacking === null
}
