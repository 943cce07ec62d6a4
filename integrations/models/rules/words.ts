/**
 * Every fixed sentence of the rules model, in one table. Plain, friendly, without labels, ids or codes. Must not hold
 * logic. Called by the planner (reasons) and the renderers.
 */

/** Why a plan is empty; the writer step receives it as its instruction. */
export const EXPLANATIONS = Object.freeze({
  needs_fact: 'What should I remember? Say it in one message of at most 2,000 characters.',
  not_available: 'I cannot do that in this conversation.',
  not_understood: 'I did not understand what you would like me to do.',
})

export type Explanation = keyof typeof EXPLANATIONS

/** `lacking`: a verb phrase, as the planner's list of what cannot be done has it. */
export const CANNOT = (lacking: string) => `I cannot ${lacking}.`
export const NOT_UNDERSTOOD = (left: string) => `I did not understand "${left}", so I did nothing.`
export const NEAREST = (ability: string) => `The nearest thing that I can do: ${ability}`
export const ASK_HELP = 'Ask "what can you do?" for the rest.'

export const GREETING = 'Hello! What can I do for you?'
export const CHAT: readonly (readonly [RegExp, string])[] = [
  [/\b(?:thanks?|thank you|thx|ty|cheers|appreciated)\b/iu, 'You are welcome.'],
  [/\b(?:bye|goodbye|see you|good night)\b/iu, 'Good bye, until next time.'],
  [/\bhow\b.{0,20}\b(?:you|things|going)\b/iu, 'I am well, thank you. What can I do for you?'],
]
export const CHAT_ELSE = 'All right.'

export const HELP_INTRO = (name: string) =>
  `I am ${name}, your private assistant. Here is what I can do for you:`
export const HELP_NOTHING = (name: string) =>
  `I am ${name}, your private assistant. There is nothing I can do in this conversation but talk: no tool is available to me here.`

/** Sentences about the assistant itself. */
export const SELF = Object.freeze({
  connected: 'Connected:',
  skills: 'Skills:',
  jobs: 'I do by myself:',
  states: {
    active: '',
    reconnecting: ' (reconnecting)',
    failed: ' (not working now)',
    unavailable: ' (at home, which is away)',
  },
  recent: 'You said:',
  nothingRecent: 'We have not talked before this, as far as I know.',
})

/**
 * Description of each kernel effect, with an example; tools have theirs in their packages. A tool that is not listed is described
 * by its own card.
 */
export const ABILITIES: Readonly<Record<string, string>> = Object.freeze({
  'memory.save': 'remember something: "remember that my locker is number 12"',
  'memory.search': 'recall it: "what do you know about my locker?"',
})
/** Tools that are not listed as abilities: every answer uses them. */
export const SILENT_TOOLS: readonly string[] = ['message.reply', 'compose', 'tools.search', 'brain.load']

/** What was tried, shown before the reason of a failure. */
export const TRIED: Readonly<Record<string, string>> = Object.freeze({
  'memory.save': 'I could not remember that.',
  'memory.search': 'I could not look through what you told me.',
})
export const TRIED_ELSE = 'One step did not work.'
export const UNKNOWN_TROUBLE = 'Something went wrong on my side. Please try again.'

export const MEMORY = Object.freeze({
  notSaved: 'I could not remember that. Please try again.',
  none: 'You have not told me anything about that.',
  noneAtAll: 'You have not asked me to remember anything yet.',
  found: 'You told me:',
  said: 'This is what we said:',
  earlier: 'You have not told me anything about that. I came across this before:',
})

export const NOTHING_TO_SAY = 'I have nothing to show for that. Please try saying it in another way.'
export const CUT = '(I left out the rest, to keep this short.)'
