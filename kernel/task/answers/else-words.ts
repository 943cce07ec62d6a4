/**
 * Reads an answer to a question with options that is not one of the options: "none of these, Thursday at
 * 4", "the second, but an hour later". English and German. Pure; must not decide. Called by else-answer.ts.
 */
import { answerInMessage, choiceInMessage } from './answer-words.ts'
import { readsAsChange } from './edit-words.ts'

/** Maximum UTF-16 units of such an answer; a longer message is a request of its own. */
const LONGEST = 300
const NONE =
  '(?:none|neither|no(?:pe)?|not (?:any|either)|nein|nee?|nö|kein(?:e[nrs]?|s)?|nichts|weder noch)(?: (?:of (?:these|those|them|the above)|davon|von (?:denen|diesen|beiden)))?'
const OTHERWISE = new RegExp(`^${NONE}(?: ?[,;.:!–-]+| but| sondern| aber) +(?<wish>\\S.*)$`, 'isu')
const PICKED =
  /^(?<pick>[^,;.]{1,40}?)(?:[,;.–-]+| (?=but|aber|only|nur)) *(?:(?:but|aber|only|nur|just) +)?(?<wish>\S.*)$/isu

/**
 * `choice` is null for "none of these, Thursday at 4", and the option's number for "the second,
 * but an hour later", which takes an option and changes it. Null for any other message.
 */
export function elseInMessage(text: string): { readonly choice: number | null } | null {
  const said = text.trim()
  if (answerInMessage(said) !== null || said.length > LONGEST) return null
  if (OTHERWISE.test(said) || readsAsChange(said)) return { choice: null }
  const { pick = '', wish = '' } = PICKED.exec(said)?.groups ?? {}
  const choice = readsAsChange(wish) ? choiceInMessage(pick) : null
  return choice === null ? null : { choice }
}
