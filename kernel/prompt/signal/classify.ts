/**
 * Classifies how a message of the owner is meant (P-27, S004 §4): deterministic, without a model, a clock or state. No pattern
 * nests repetitions, so that no message makes one slow. Must not decide anything: the result only shapes the tone of an answer
 * (P-31). Called where a prompt's dynamic blocks are made.
 */
import { FOREIGN_COURTESY, foreignOrder } from './foreign.ts'
import type { Genre, Mode, Signal, SignalFormat, SignalType } from './signal.ts'

/** UTF-16 units of a message that are read: the request comes first, and a long message must not cost more. */
export const SIGNAL_HEAD = 1_000
const COURTESY_ROUNDS = 6

/** UTF-16 units: up to `LINE_MOST` a message is a line of chat; from `DOCUMENT_FROM` it is pasted text. */
const LINE_MOST = 80
const DOCUMENT_FROM = 1_200
const DOCUMENT_LINES = 12

/** A message, normalised once. */
interface Read {
  /** Lower case, straight apostrophes, single spaces. */
  readonly whole: string
  /** Without leading courtesy. */
  readonly core: string
  readonly asks: boolean
  readonly verb: Mode | null
}

export function classifySignal(text: string): Signal {
  const read = readWords(text)
  const genre = genreOf(read)
  const mode = modeOf(read, genre)
  return {
    mode,
    genre,
    type: typeOf(read, genre),
    format: formatOf(text),
    weight: weightOf(text, read, { mode, genre }),
  }
}

function readWords(text: string): Read {
  const whole = text.slice(0, SIGNAL_HEAD).toLowerCase().replaceAll('’', "'").replaceAll(/\s/g, ' ').trim()
  const core = withoutCourtesy(whole)
  const verb = verbOf(core) ?? laterVerb(core)
  // "Can you …?" is a request, "do you …?" a question.
  const asks = QUESTION.test(core) || (verb === null && core.endsWith('?'))
  return { whole, core, asks, verb }
}

function withoutCourtesy(words: string): string {
  let core = words
  for (let round = 0; round < COURTESY_ROUNDS; round++) {
    const courtesy = COURTESY.exec(core) ?? FOREIGN_COURTESY.exec(core)
    if (courtesy === null) break
    core = core.slice(courtesy[0].length)
  }
  return core
}

/** The condition before an order, up to its comma: "If I am free on Saturday, book the gym". */
const CONDITION = /^(?:if|when|once|as soon as|falls|wenn|sobald|si|s'il|quand|cuando)\s[^,.!?]{1,200},\s+/
/** Maximum sentences after the first that are searched for an order. */
const LATER_SENTENCES = 3

/** Mode of an order that follows a statement: "There is a mail from my dentist. Put the appointment into my calendar." */
function laterVerb(core: string): Mode | null {
  const after = CONDITION.exec(core)
  const parts = [
    ...(after === null ? [] : [core.slice(after[0].length)]),
    ...core.split(/(?<=[.!;])\s+/).slice(1, 1 + LATER_SENTENCES),
  ]
  for (const part of parts) {
    const words = withoutCourtesy(part)
    const known = words.endsWith('?') ? undefined : VERBS.find(([, pattern]) => pattern.test(words))
    const verb = known?.[0] ?? foreignOrder(words)
    if (verb !== null) return verb
  }
  return null
}

function verbOf(core: string): Mode | null {
  if (WANTS_PIECE.test(core)) return 'build'
  const known = VERBS.find(([, pattern]) => pattern.test(core))
  if (known !== undefined) return known[0]
  if (QUESTION.test(core)) return null
  const foreign = foreignOrder(core)
  if (foreign !== null) return foreign
  return WANTS.test(core) || IMPERATIVE.test(core) ? 'execute' : null
}

function genreOf({ whole, core, asks, verb }: Read): Genre {
  if (DECIDE.test(whole)) return 'decide'
  if (GO_AHEAD.test(core) || PROMISE.test(whole)) return 'commit'
  if (INFORM.test(core)) return 'inform'
  if (FEELING.test(whole) || (GREETING.test(whole) && verb === null && !asks)) return 'express'
  if (asks || verb !== null) return 'direct'
  // A statement, unless its second half asks for something ("the backup fails, please repair it").
  return /[,.;] (?:please|can you|could you)\b/.test(whole) ? 'direct' : 'inform'
}

function modeOf({ whole, core, asks, verb }: Read, genre: Genre): Mode {
  if (genre === 'express') return 'assist'
  if (genre === 'commit') return GO_AHEAD.test(core) ? 'execute' : 'assist'
  if (genre === 'decide') return DECIDED.test(whole) ? 'assist' : 'analyze'
  if (KEEP.test(core)) return 'execute'
  if (genre === 'inform') return ISSUE.test(whole) ? 'maintain' : 'assist'
  if (verb !== null && !QUESTION.test(core)) return verb
  if (ISSUE.test(whole)) return 'maintain'
  if (ANALYSIS.test(core)) return 'analyze'
  if (!asks || EXPLANATION.test(core)) return 'assist'
  return LOOK_UP.test(core) || OWN_MATTERS.test(core) ? 'execute' : 'assist'
}

function typeOf({ whole, asks }: Read, genre: Genre): SignalType {
  if (genre === 'express') return 'social'
  if (ISSUE.test(whole)) return 'issue'
  if (asks) return 'question'
  return genre === 'inform' || genre === 'decide' ? 'statement' : 'request'
}

function formatOf(text: string): SignalFormat {
  if (/^\s*\/[a-z]/i.test(text)) return 'command'
  const lines = text.trim().split('\n').length
  if (text.length >= DOCUMENT_FROM || lines >= DOCUMENT_LINES) return 'document'
  return lines === 1 && text.length <= LINE_MOST ? 'line' : 'message'
}

/** Number of words → weight of an answer; the first matching row counts. */
const WEIGHT_BY_WORDS: readonly (readonly [number, number])[] = Object.freeze([
  [3, 0.25],
  [12, 0.4],
  [40, 0.5],
  [120, 0.65],
])
const WEIGHT_OF_LONG = 0.75

function weightOf(
  text: string,
  { whole, core }: Read,
  { mode, genre }: { readonly mode: Mode; readonly genre: Genre },
): number {
  const count = text.trim().split(/\s+/).length
  const length = WEIGHT_BY_WORDS.find(([most]) => count <= most)?.[1] ?? WEIGHT_OF_LONG
  const work = mode === 'analyze' || mode === 'build' ? 0.2 : 0
  const talk = genre === 'express' || genre === 'commit' || genre === 'inform' ? -0.2 : 0
  const questions = whole.split('?').length > 2 ? 0.1 : 0
  const wish = (LONG_WISH.test(core) ? 0.45 : 0) - (SHORT_WISH.test(core) ? 0.45 : 0)
  const sum = length + work + talk + questions + wish
  return Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100
}

/** Courtesy before a request, removed word by word. */
export const COURTESY =
  /^(?:please|pls|pfar|hey|hi|hello|thanks|thank you|good (?:morning|afternoon|evening)|maybe|ok|okay|so|well|then|now|and|also|just|kindly|quickly|(?:can|could|would|will) you|i(?:'d| would) like you to|i (?:want|need) you to|(?:i(?:'d like| would like| want| need| have)|need|have) to|let me)[\s,:!]+(?=\S)/

/** Verbs that open a request, by the mode of the answer. A phrase is tried before its first word. */
export const VERBS: readonly (readonly [Mode, RegExp])[] = Object.freeze([
  ['execute', /^(?:make sure|see to it)\b/],
  [
    'execute',
    /^(?:set up|arrange|organi[sz]e) (?:an? |the )?(?:\w+ )?(?:meeting|call|appointment|reminder|alarm)\b/,
  ],
  ['execute', /^write (?:to )?(?!an? |the |me |some |up )[a-z]+ (?:that|about|to|back)\b/],
  [
    'analyze',
    /^(?:give|get|show) me (?:an? |the )?(?:\w+ )?(?:overview|summary|breakdown|analysis|digest)\b/,
  ],
  ['analyze', /^(?:look (?:for|at)|find) (?:\w+ )?(?:patterns?|trends?|differences|reasons?)\b/],
  [
    'analyze',
    /^(?:check (?:\S+ ){1,6}for|(?:have|take) an? (?:\w+ )?look|break down|go over|go through|tell me (?:what is (?:wrong|weak)|why))\b/,
  ],
  [
    'assist',
    /^(?:help|tell me (?:about|how|more|a)|give me (?:some |a few |any )?(?:advice|a tip|tips|ideas)|show me how|walk me through|talk me through)\b/,
  ],
  [
    'build',
    /^(?:put together|come up with|draw up|set up|work out|write up|make|build|create|draft|write|compose|generate|design|prepare|outline|invent|develop|sketch|plan|produce|code|program|translate|brainstorm|formulate)\b/,
  ],
  [
    'maintain',
    /^(?:clean up|tidy up|tidy|fix|repair|update|upgrade|rename|archive|move|renew|delete|remove|replace|correct|clear|sort out|migrate|restore|restart|reset|back up|sync|refactor|merge|change|adjust|edit|reschedule|postpone|unsubscribe|push|shift|swap|sort|label|trim|shorten|deduplicate|patch|debug|optimi[sz]e|maintain|reorgani[sz]e)\b/,
  ],
  [
    'analyze',
    /^(?:compare|summari[sz]e|sum up|review|evaluate|analy[sz]e|assess|weigh|investigate|examine|audit|estimate|calculate|rate|rank|judge|critique|contrast|diagnose|interpret|measure)\b/,
  ],
  ['assist', /^(?:explain|teach|describe|advise|suggest|guide|clarify|define|remind me (?:what|how|why))\b/],
  [
    'execute',
    /^(?:read|send|book|find|show|remind|cancel|forward|add|search|open|list|post|schedule|check|see|mind \w+ing|pull up|pick up|drop|grab|call|reply|answer|look up|look|get|fetch|buy|order|pay|tell|give|note|remember|save|log|record|notify|message|email|mail|invite|accept|decline|confirm|reserve|download|upload|share|publish|submit|turn|start|stop|run|play|mark|put|bring|let|ask|set|register|track|print|text|ping|count|approve|reject|do)\b/,
  ],
])

/** Something does not work as it should. */
export const ISSUE =
  /\b(?:broken|broke|crash(?:es|ed|ing)?|fail(?:s|ed|ing)?|error|bug|stuck|out of date|does(?:n't| not) (?:work|load|open|start|sync)|won't (?:work|load|open|start)|not working|stopped working|keeps? (?:failing|crashing|freezing))\b/

/** Asks to judge several things, or for a reason. */
export const ANALYSIS =
  /^why\b.*\b(?:i|my|we|our|me|us|it|this|that)\b|\b(?:differences? between|in common|pros and cons|risks? (?:of|in)|advantages|trends?|compared (?:to|with)|how (?:much|many|often) (?:did|do|have|has|was|were)|on average|breakdown|stands? out|the (?:most|least)|what went wrong|implications?|summary of|weaknesses|better than)\b/

/** Things that the assistant can look up or do for this person, as opposed to general knowledge. */
export const OWN_MATTERS =
  /\b(?:i|me|my|mine|we|us|our|e?mails?|inbox|calendar|meetings?|appointments?|messages?|repl(?:y|ied)|today|tomorrow|tonight|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|this week|next week|unread|schedule|agenda|news|price|open now)\b/

export const QUESTION =
  /^(?:who|whom|whose|what|what'?s|which|when|where|why|how|is|are|am|was|were|do|does|did|have (?:i|we|you|they|the|my|any)|has|had|can|could|will|would|should|shall|may|any|anything)\b/

/** Questions about past events or existing things, which need a look-up. */
export const LOOK_UP =
  /^(?:is there|are there|am i|are we|did|has|have|had|do i|do we|was there|were there|when(?:'s| is| does| do)|where(?:'s| is| are)|any|anything|who(?:'s| is) (?:coming|calling|there))\b/

/** Asks for something to be made: "I need a checklist". */
export const WANTS_PIECE =
  /^(?:i (?:need|want|could use)|i(?:'d| would) like|we need|turn \S+ (?:\S+ ){0,4}into) (?:an? |some |the )?(?:\S+ )?(?:check ?list|list|plan|letter|speech|script|draft|template|text|poem|table|menu|budget|timetable|overview|story|song|slogan|website|page|presentation|slides|agenda|itinerary|essay|article|report|summary|form|card|invitation)s?\b/
export const WANTS = /^(?:i (?:need|want|could use)|i(?:'d| would) like|we need) \S/
/** An imperative with a verb that no table lists: "shelve the old scans". */
export const IMPERATIVE =
  /^(?!(?:the|an?|my|your|his|her|its|our|their|this|that|these|those|i|you|he|she|it|we|they|there|here|not?|yes|if|when|because|but|or|all|both|some|many|most|only|maybe|got|had|was|were|in|on|at|of|for|from|with|by|to|till|until|after|before|since|during|honestly|actually|apparently)\b)[a-z]+ (?:(?:up|out|down|off|over) )?(?:the|my|an?|me|this|that|these|those|our|his|her|all|every|some|any|it|them|us)\b/

/** A question about a method or a meaning. */
export const EXPLANATION =
  /^(?:why|how (?:do|does|can|should|would|to)|what (?:does|is|are|was) .{1,80}\bmean\b|what (?:does|can) you|what is an? )/

export const DECIDE =
  /\b(?:sha(?:ll|n't) (?:i|we)|should (?:i|we)|i(?:'d| would) (?:prefer|rather)|i prefer|i think (?:i|we)(?:'ll| should)|which (?:one|of|is|are|would|should|do you)|(?:do|would|can|could) you recommend|what would you|is it (?:worth|better)|worth it|would you rather|help me (?:decide|choose|pick)|can't (?:decide|choose)|what do you think|torn between|i(?:'ve| have) (?:decided|chosen)|i choose|my decision|(?:i|we)(?:'ll| will) (?:go with|take the)|i(?:'m| am) going with|pick (?:one|between)|choose between)\b/
/** A decision that was made and is reported: nothing is left to weigh. */
export const DECIDED =
  /\bi(?:'ve| have) (?:decided|chosen)\b|\bi(?:'d| would) (?:prefer|rather)\b|\bi prefer\b|\bi think (?:i|we)(?:'ll| should)\b|\bi choose\b|\bmy decision\b|\b(?:i|we)(?:'ll| will) (?:go with|take the)\b|\bi(?:'m| am) going with\b/

/** A yes that starts something. */
export const GO_AHEAD =
  /^(?:(?:sure|yes|yeah|yep|fine|right|perfect),? )?(?:go ahead|go for it|do it|let's (?:do|go|book|take|start|proceed)|yes,? (?:please|do|go|send|book|that|\w+ (?:it|them))|agreed|deal|approved|proceed|confirmed|sounds good,? (?:do|go|send|book))\b/
export const PROMISE =
  /^(?:(?:i|we)(?:'ll| will) |i promise|(?:i|we)(?:'m| am|'re| are) (?:going to|committed)|i commit|count on me|you have my word|we agreed|i swear)/

export const GREETING =
  /^(?:hello|hi|hey|hiya|good (?:morning|afternoon|evening|night)|thanks|thank you|thx|cheers|sorry|apologies|congratulations|congrats|bye|goodbye|see you|welcome|happy (?:birthday|new year|easter)|merry christmas|nice to (?:meet|see) you)\b/
export const FEELING =
  /\bmy \w+ (?:hurts?|aches?|died|passed away)\b|^(?:ugh|argh|wow|haha|hehe|lol|yay|oh no|oh dear|omg|hooray|phew|damn|oops|bravo|well done|great job|good job|nice work|awesome|amazing|perfect|brilliant|fantastic|lovely|i (?:love|hate|adore|miss|can't stand|can't believe)\b|what an? \w+(?! \w+ \?)[^?]*$)|\b(?:i(?:'m| am)|i feel|i(?:'m| am) feeling|i felt|feeling) (?:a bit |a little |so |very |really |quite |too |just |rather )*(?:tired|sad|happy|worried|lost|angry|excited|glad|proud|stressed|anxious|nervous|afraid|scared|lonely|frustrated|annoyed|grateful|thankful|relieved|overwhelmed|exhausted|disappointed|delighted|sick|fed up|upset|bored|down|thrilled|sorry)\b|\b(?:so|really|very) (?:frustrating|annoying|exciting|sad|happy|kind|nice)\b|^(?:that(?:'s| is| was)|this is|it(?:'s| is| was)) (?:so |very |really |such |just )*(?:a )?(?:wonderful|great|awful|terrible|lovely|horrible|fantastic|amazing|beautiful|sad|perfect|brilliant)\b/

export const INFORM =
  /^(?:fyi|for your information|just so you know|note that|remember that|be aware|keep in mind|heads up|by the way|btw|as you know)\b/
/** A statement that should be remembered. */
export const KEEP = /^(?:note that|remember that|keep in mind|note:|remember:)/

export const SHORT_WISH =
  /\b(?:brief|briefly|short|shortly|in (?:a|one) (?:word|line|sentence)|one[- ]line|tl;?dr|quick|quickly|just the (?:facts|number|answer))\b/
export const LONG_WISH =
  /\b(?:in detail|detailed|thorough|thoroughly|comprehensive|in depth|in-depth|step by step|everything about|full (?:report|analysis|account)|at length|long (?:answer|version)|elaborate)\b/
