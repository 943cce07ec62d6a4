/**
 * The tables by which a message's request is known: patterns anchored at its beginning, without nested
 * repetition, so that they take linear time on any text. Must not hold logic. Called by message-intent.ts.
 */
import type { Intent } from '../../kernel/powers/message-fields.ts'

const CALENDAR = '(?:calendar|schedule|agenda|diary|appointments?|meetings?|events?|plans)'
const OWN =
  '(?:(?:my|the|our|your|any|some|all|of|for|new|latest|last|recent|newest|unread|next|first|top|through|up|out|me|me,|\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten) ){0,6}'
const ACTIVITY =
  '(?:meeting|meet-?up|appointment|event|breakfast|brunch|lunch|dinner|supper|coffee|tea|drinks|call|video call|catch-?up|stand-?up|sync|review|interview|workshop|class|lesson|session|dentist|doctor|gym|workout|training|haircut|check-?up|birthday|party|holiday|vacation|day off|slot|time|hour|minutes?|focus time|reminder|demo|presentation|conference|1:1|one-on-one|date|walk|visit)'
/** Things that a calendar cannot book. */
export const SERVICE =
  /\b(?:flights?|hotels?|tables?|taxis?|cabs?|ubers?|trains?|tickets?|rooms?|restaurants?|cars?|seats?)\b/i
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
/** A question about the conversation itself that names a subject, a time, or both. */
export const TALKED =
  /^what (?:did|have|were) (?:we|you and i|i) (?:just |last )?(?:say|said|saying|talk|talked|talking|speak|spoken|speaking|discuss|discussed|discussing|chat|chatted|chatting)\b(?!(?: about)?[\s?!.]*$)(.*)$/is
/** `remember my birthday?` asks; `can you remember my birthday?` may be a request. */
export const SEARCH_ASKED = /^remember (\S.*\?\s*)$/is

export const LATER_ROWS: readonly Row[] = [
  [
    'calendar_free',
    start(
      '(?:when|what time|what times|what day|which day|which days|at what time) (?:am i|are we|do i have|have i got|will i be|can i|could i|would i be)\\b(?=.{0,60}\\b(?:free|available|time|slot|gap|opening|meet|fit)\\b)',
    ),
  ],
  [
    'calendar_free',
    start('(?:am i|will i be|are we|would i be) (?:[a-z]+ ){0,2}?(?:free|available|busy)\\b'),
  ],
  [
    'calendar_free',
    start(
      '(?:do i have|have i got|is there) (?:any |some |enough )?(?:free |spare |open )?(?:time|slots?|gaps?|an? (?:free )?(?:slot|gap|hour))\\b',
    ),
  ],
  [
    'calendar_free',
    start(
      '(?:find|show|give|list|check)(?: me)? (?:a |an |some |my |all |any )?(?:free|open|available|availability|spare)\\b',
    ),
  ],
  ['calendar_free', start("(?:what(?:'s| is) )?my availability\\b")],
  ['calendar_free', start('(?:is|are) (?:my |the )?(?:[a-z]+ ){1,3}?(?:free|open|available)\\??$')],
  ['calendar_free', start('free(?:/busy| time| slots?)?\\b')],
  // How somebody else asks the assistant for a time of its owner's; without one, it is talk.
  ['calendar_free', timed('(?:are you|is your owner) (?:free|available)\\b')],
  ['calendar_free', timed('(?:do you|does your owner) have (?:any )?time\\b')],
  [
    'calendar_free',
    timed('(?:can|could|shall|may) we (?:meet|talk|speak|have (?:an?|our) (?:[a-z]+ ){0,2}[a-z]+)\\b'),
  ],
  [
    'calendar_free',
    timed('(?:does|would|will|is) .{1,60} (?:suit|work for|good for|okay for|ok for) (?:you|your owner)\\b'),
  ],
  [
    'calendar_list',
    start(
      `(?:what(?:'s| is|s| do i have| have i got| was| will be| are)?|anything|something|is there anything|do i have anything|have i got anything|is anything)(?: (?:up|else|happening|planned|scheduled|coming up))? (?:on|in) (?:my|the|our) ${CALENDAR}\\b`,
    ),
  ],
  [
    'calendar_list',
    start(
      `(?:show|check|list|open|see|view|read|get|give|look at|what's|what is|what are|tell)(?: me)? ${OWN}${CALENDAR}\\b`,
    ),
  ],
  [
    'calendar_list',
    start(
      `(?:what|which|any|do i have|have i got|how many)(?: (?:any|other|new|a|an|upcoming)){0,2} ${CALENDAR}\\b`,
    ),
  ],
  ['calendar_list', start('(?:do i have|have i got|is there) (?:anything|something|plans)\\b')],
  [
    'calendar_list',
    start(
      "(?:what do i have|what have i got|what am i doing|what(?:'s| is) (?:on|happening|planned|scheduled|coming up)|anything on|anything planned|who am i meeting|who do i meet)\\b",
    ),
  ],
  ['calendar_list', start(`(?:when|where|what time) is my (?:[a-z]+ ){0,3}(?:${CALENDAR}|${ACTIVITY})\\b`)],
  [
    'calendar_list',
    start(
      '(?:what|how) does my (?:day|week|month|weekend|calendar|schedule|agenda|morning|afternoon|[a-z]+) look\\b',
    ),
  ],
  [
    'calendar_list',
    start(
      '(?:my )?(?:calendar|schedule|agenda|diary|meetings|appointments|events)(?=$| (?:for|on|today|tomorrow|this|next))',
    ),
  ],
]

export const BOOK =
  /^(?:book|schedule|create|add|set up|setup|put|make|plan|arrange|organi[sz]e|pencil in|block(?: out)?|enter)\s(?:me |in )?(\S.*)$/is
export const BOOKS_ALONE = /^(?:book|schedule|pencil in|block)\b/i
export const NAMES_ACTIVITY = new RegExp(`\\b(?:${ACTIVITY}|calendar|agenda|diary)\\b`, 'i')
export const WITH = /\bwith \S/i
export const OTHER_LIST =
  /\b(?:to|on|in) (?:my|the|our) (?!calendar|agenda|diary|schedule)(?:[a-z]+ ){0,2}list\b/i

/** Somewhere behind it a day or an hour is named. */
function timed(source: string): RegExp {
  return start(`(?=.*(?:\\d|day\\b|tomorrow|tonight|noon|morning|evening|week))${source}`)
}

function start(source: string): RegExp {
  return new RegExp(`^${source}`, 'i')
}

function full(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'i')
}
