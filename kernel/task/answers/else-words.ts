/**
 * Reads another answer to a question with options than one of them: "none of these, Thursday at 4", "the second, but an hour later". English and
 * German. Pure; must not decide. Called by else-answer.ts.
 */
import { answerInMessage, choiceInMessage } from './answer-words.ts'
import { readsAsChange } from './edit-words.ts'

/** UTF-16 units of a message that is read as another answer than the options: a longer one is a request of its own. */
const LONGEST = 300
const NONE =
  '(?:none|neither|no(?:pe)?|not (?:any|either)|nein|nee?|nö|kein(?:e[nrs]?|s)?|nichts|weder noch)(?: (?:of (?:these|those|them|the above)|davon|von (?:denen|diesen|beiden)))?'
const OTHERWISE = new RegExp(`^${NONE}(?: ?[,;.:!–-]+| but| sondern| aber) +(?<wish>\\S.*)$`, 'isu')
const PICKED =
  /^(?<pick>[^,;.]{1,40}?)(?:[,;.–-]+| (?=but|aber|only|nur)) *(?:(?:but|aber|only|nur|just) +)?(?<wish>\S.*)$/isu

/**
 * What is said to a question with options instead of one of them: "none of these, Thursday at 4" (`choice` null), and "the second, but an hour
 * later", which takes one and changes what comes of it. Null for any other message.
 */
export function elseInMessage(text: string): { readonly choice: number | null } | null {
  const said = text.trim()
  if (answerInMessage(said) !== null || said.length > LONGEST) return null
  if (OTHERWISE.test(said) || readsAsChange(said)) return { choice: null }
  const { pick = '', wish = '' } = PICKED.exec(said)?.groups ?? {}
  const choice = readsAsChange(wish) ? choiceInMessage(pick) : null
  return choice === null ? null : { choice }
}
