/**
 * Recognises a remark beside a request that asks for nothing: "will it rain? we have the street market". Works on the text
 * alone; must not read a request. Called by read.ts, loose-change.ts, own-things.ts, message-corrected.ts and the rules model.
 */
import { saysSecond } from '../message/message-coverage.ts'

/** Place before a remark without punctuation: "is it going to rain sat morning we've got football at 9". */
export const UNMARKED =
  /(?<=\S \S+ \S+)(?<!\b(?:have|has|had|do|does|did|am|is|are|was|were|will|can|could|should|shall|would|may|must|what|when|where|who|how|which|than|that|if|and|or|as|with|for|to|about|hab|habe|ich))\s+(?=(?:i|i'm|im|i've|ive|we|we're|we've|weve|they|they're|he's|hes|she's|shes|it's|its|because|cos|cause|while|as|so|weil|da|sonst|während)\s)/giu

/** Beginning of a remark beside a request. */
export const REMARK =
  /^(?:while|während|i|i'm|im|i've|ive|we|we're|we've|weve|they|they're|he|he's|hes|she|she's|shes|it|it's|its|cos|cause|so|as|there|the \w+ (?:is|are|was)|my \w+ (?:is|are|was)|\w+ (?:\w+ )?i (?:think|believe|guess|reckon|hope)|\w+ glaub ich|because|since|think|feels?|felt|gefühlt|fühlt|trending|just|ugh|sorry|ich|wir|er|sie|es|das|die|der|weil|da|bin|muss|hab|habe|ist|sonst|denn|damit|man)(?![\w'])/i
const REMARK_WORDS = 14
/** Words of a correction or of a second wish, which is no remark. */
export const CORRECTS =
  /(?<!\p{L})(?:i mean|sorry|instead|keep|wants? (?:to|it)|the one|i think|remember(?! (?:where|what|when|who|how|if))|need to|should|muss noch|statt\p{L}*|doch|lieber|meine)(?!\p{L})/iu

/** A bare request to look ("…, schau mal nach"), which adds nothing to the request before it. */
const LOOKS =
  /^(?:(?:can|could) you |please |just |bitte )*(?:check|look|have a look|find out|look (?:it|that) up|see|(?:schau|guck|kuck|seh|sieh|prüf)e?(?: (?:bitte|mal|kurz|das|doch))*(?: nach)?)(?: (?:please|for me|bitte|mal))*[\s.!]*$/iu

export function isBareLook(text: string): boolean {
  return LOOKS.test(text)
}

/** True for a text that is only a remark beside a read. */
export function isAside(text: string): boolean {
  if (isBareLook(text)) return true
  return couldBeRemark(text) && (REMARK.test(text) || (STATES.test(text) && text.split(/\s+/).length > 2))
}

/** Words that make a text a statement. */
const STATES =
  /(?<![\p{L}])(?:probably|maybe|wahrscheinlich|vermutlich|thinking|got|have|has|had|need|needs|want|wants|should|shall|will|would|am|i'm|im|is|are|was|were|be|going|hope|think|muss|müssen|will|wollen|wollte|soll|sollte|hab|habe|haben|hat|bin|ist|sind|war|geh|gehe|fahr|fahre|fahren|kommt|kommen|brauch|brauche|möchte|würde)(?![\p{L}])/iu

/** True for a short text without a question, a condition or a request. */
export function couldBeRemark(text: string): boolean {
  return (
    text.trim() !== '' &&
    !text.includes('?') &&
    text.split(/\s+/).length <= REMARK_WORDS &&
    !/^(?:if|wenn|falls|unless|except|or|oder|nor|not|nicht|but|aber)\b|(?:can|could|would|will) you|obliged|grateful/i.test(
      text,
    ) &&
    (REMARK.test(text) || !saysSecond(`. ${text}`))
  )
}
