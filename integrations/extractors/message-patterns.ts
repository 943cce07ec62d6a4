/**
 * Pattern tables for conversation and memory intents: anchored at the beginning, without nested repetition, so that they take
 * linear time on any text. Must not hold logic. Called by message-intent.ts.
 */
import type { Intent } from '../../kernel/powers/message-fields.ts'

export const ASKS = /^(?:what|when|who|whom|whose|where|which|why|how|if|whether|anything|something)\b/i
/** `remember me?`, `remember when we met?` */
export const QUESTION = /\?\s*$/

export type Row = readonly [Intent, RegExp]

export const FIRST_ROWS: readonly Row[] = [
  [
    'recent',
    full(
      '(?:(?:so )?what (?:were|did) we (?:just |last )?(?:talking|speaking|talk|speak|chat|chatting) about(?: before| earlier| last)?|what (?:was|did) i (?:just |last )?(?:ask|say|asking|saying)(?: you)?(?: about)?(?: before| earlier| last)?|where were we|what was our last (?:conversation|chat)(?: about)?)',
    ),
  ],
  [
    'greeting',
    full(
      '(?:hi|hello|hey|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|morning|afternoon|evening)(?: (?:there|again|pfar|everyone|friend|you))?',
    ),
  ],
  [
    'chat',
    full(
      '(?:many |no, |ok,? |great,? |perfect,? )?(?:thanks|thank you|thx|ty|cheers|much appreciated)(?: (?:a lot|so much|very much|again|pfar|for that|for your help|a million))?',
    ),
  ],
  [
    'chat',
    full(
      "(?:ok|okay|k|great|nice|cool|perfect|awesome|good|got it|alright|all right|fine|lovely|well done|good job|bye|goodbye|bye bye|see you|see you later|good night|how are you|how are you doing|how are things|how is it going|how's it going|what's up|never ?mind|sorry|lol|haha)(?: (?:today|then|thanks|thank you|pfar))?",
    ),
  ],
  [
    'help',
    full(
      '(?:help|help me|\\?|commands|/help|/start|what can you do|what can you do for me|what can i ask(?: you)?|what can i say|what do you do|what are you able to do|what else can you do|how do you work|how does this work|who are you|what are you|what are your (?:capabilities|skills|features|tools)|how can you help(?: me)?|show me what you can do|tell me what you can do|what are you good at)',
    ),
  ],
]

export const SAVE =
  /^(?:remember|memori[sz]e|keep in mind|bear in mind|don'?t forget|do not forget|make a note|take a note|note down|note|write down|jot down|save(?= (?:that|this|the fact)\b))\b(?:(?: down)? (?:that|this|of the fact that|the fact that|of|to)\b)?\s*[:,-]?\s*(\S.*)$/is
export const SEARCH: readonly RegExp[] = [
  /^what (?:do|did) (?:you|i) (?:know|remember|recall|tell you|ask you to remember|have(?= (?:saved|stored|noted|written down|in your memory)))(?: (?:saved|stored|noted|written down|in your memory))?(?: (?:about|of|on|regarding|for))?(?: (\S.*)|[\s?!.]*)$/is,
  /^what (?:have|did) (?:i|you) (?:told|tell|said|say|saved?|noted?|remembered|asked)(?: you)?(?: (?:to remember|about|of|on|regarding))*(?: (\S.*)|[\s?!.]*)$/is,
  /^do you (?:still )?(?:remember|recall)(?: (?:that|about))?(?: (\S.*)|[\s?!.]*)$/is,
  /^do you know (?:anything about|something about|about|(?=(?:my|where i|when i|what i|who i)\b)) ?(\S.*)$/is,
  /^(?:have i told|did i tell|did i mention to) you (?:anything )?(?:about )?(\S.*)$/is,
  /^(?:search|look in|look through|check|search in|search through) (?:your|my|the) (?:memory|memories|notes?)(?: (?:for|about))?(?: (\S.*)|[\s?!.]*)$/is,
  /^(?:what(?:'s| is) in|show(?: me)?|list) (?:your|my|the) (?:memory|memories|notes?)(?: (?:about|on|of))?(?: (\S.*)|[\s?!.]*)$/is,
  /^(?:recall|tell me what you (?:know|remember) (?:about|of)|tell me what i told you about) (\S.*)$/is,
  /^remember ((?:what|when|who|whom|whose|where|which|why|how|if|whether|anything|something)\b.*)$/is,
]
/** A question about the conversation that names a subject, a time, or both. */
export const TALKED =
  /^what (?:did|have|were) (?:we|you and i|i) (?:just |last )?(?:say|said|saying|talk|talked|talking|speak|spoken|speaking|discuss|discussed|discussing|chat|chatted|chatting)\b(?!(?: about)?[\s?!.]*$)(.*)$/is
/** `remember my birthday?` is a question; `can you remember my birthday?` may be a request. */
export const SEARCH_ASKED = /^remember (\S.*\?\s*)$/is

function full(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'i')
}
