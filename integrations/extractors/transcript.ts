/**
 * What a conversation was about and what was agreed to be done, each from a closed set by fixed rules (J-01, J-06). Two mentions make a topic, one clear
 * sentence an action. Pure, linear in the text. Must not judge whether it is true. Called by the shapes of tools that read transcripts.
 */

export const TRANSCRIPT_TOPICS = Object.freeze([
  ...(['budget', 'hiring', 'schedule', 'sales', 'marketing', 'product', 'design', 'engineering'] as const),
  ...(['security', 'legal', 'support', 'research', 'operations', 'travel'] as const),
])
export type TranscriptTopic = (typeof TRANSCRIPT_TOPICS)[number]

export const TRANSCRIPT_ACTIONS = Object.freeze([
  ...([
    'send',
    'write',
    'review',
    'meet',
    'call',
    'pay',
    'sign',
    'decide',
    'fix',
    'order',
    'find_out',
  ] as const),
])
export type TranscriptAction = (typeof TRANSCRIPT_ACTIONS)[number]

/** UTF-16 units that are read: more than a day of talk. */
const MOST_READ = 400_000
/** Mentions that make a topic: a word that falls once is none. */
const MENTIONS = 2

const TOPIC_WORDS: Readonly<Record<TranscriptTopic, RegExp>> = {
  budget:
    /\b(?:budgets?|costs?|spend(?:ing)?|forecast|invoices?|pric(?:e|es|ing)|kosten|haushalt|rechnung(?:en)?)\b/gi,
  hiring:
    /\b(?:hir(?:e|es|ing)|candidates?|interviews?|recruit(?:er|ers|ing)?|job offer|onboarding|bewerber(?:in)?|einstellung(?:en)?)\b/gi,
  schedule:
    /\b(?:deadlines?|timelines?|milestones?|road ?maps?|schedules?|sprints?|zeitplan|fristen?|meilensteine?)\b/gi,
  sales: /\b(?:sales|leads?|pipeline|prospects?|quotas?|renewals?|vertrieb|angebote?|kundentermin)\b/gi,
  marketing: /\b(?:marketing|campaigns?|brand(?:ing)?|newsletters?|adverts?|seo|kampagnen?|werbung)\b/gi,
  product:
    /\b(?:products?|features?|user stor(?:y|ies)|backlog|releases?|launch(?:es)?|produkte?|funktionen)\b/gi,
  design: /\b(?:designs?|mock-?ups?|wireframes?|prototypes?|figma|user interface|entw(?:urf|ürfe))\b/gi,
  engineering:
    /\b(?:bugs?|deploy(?:s|ed|ment|ments)?|servers?|databases?|code|refactor(?:ing)?|apis?|pull requests?|fehler)\b/gi,
  security:
    /\b(?:security|vulnerabilit(?:y|ies)|passwords?|breach(?:es)?|audits?|encryption|sicherheit(?:slücken?)?)\b/gi,
  legal:
    /\b(?:contracts?|legal|lawyers?|gdpr|compliance|licen[cs]es?|nda|verträge?|vertrag|datenschutz|anwalt)\b/gi,
  support:
    /\b(?:tickets?|support|complaints?|customer issues?|refunds?|outages?|beschwerden?|störung(?:en)?)\b/gi,
  research: /\b(?:research|surveys?|studies|experiments?|user tests?|findings|umfragen?|studie)\b/gi,
  operations:
    /\b(?:suppliers?|inventory|logistics|warehouse|office|shipments?|lieferanten?|lager|lieferung(?:en)?)\b/gi,
  travel: /\b(?:flights?|hotels?|travel(?:ling|ing)?|trips?|visas?|reisen?|flug|flüge)\b/gi,
}

/** "I'll …", "we will …", "Tom to …", "please …", "can you …": what precedes something that somebody is going to do. */
const COMMITS = String.raw`(?:\b(?:i|we|you|he|she|they)(?:'ll|’ll| will| am going to|'m going to| are going to| need to| should| have to)|\blet(?:'|’)?s|\bplease|\b(?:can|could|will|would) you|\bto-?do:?|\baction(?: items?)?:?|^[-*•\d.) \t]{0,8}|\b(?:ich|wir) (?:werde|werden|muss|müssen))\s{0,4}(?:(?:also|then|just|please|quickly|noch|dann)\s{1,4}){0,2}`

const ACTION_WORDS: Readonly<Record<TranscriptAction, string>> = {
  send: 'send|share|forward|e-?mail|mail|schicken|senden',
  write: 'write|draft|prepare|document|update|schreiben',
  review: 'review|check|look (?:at|over|into)|go through|proofread|prüfen',
  meet: 'schedule|set up|meet|book|arrange|reschedule|organi[sz]e',
  call: 'call|phone|ring|reach out to|anrufen',
  pay: 'pay|transfer|reimburse|invoice|bezahlen',
  sign: 'sign|countersign|unterschreiben',
  decide: 'decide|choose|agree on|approve|entscheiden',
  fix: 'fix|repair|resolve|debug|patch|reparieren',
  order: 'order|buy|purchase|bestellen|kaufen',
  find_out: 'find out|ask|research|investigate|clarify|herausfinden|klären',
}

const ACTION_PATTERNS = TRANSCRIPT_ACTIONS.map(
  (action) => [action, new RegExp(`${COMMITS}(?:${ACTION_WORDS[action]})\\b`, 'im')] as const,
)

export function topicsIn(text: string): readonly TranscriptTopic[] {
  const read = text.slice(0, MOST_READ)
  return TRANSCRIPT_TOPICS.filter((topic) => {
    let count = 0
    for (const _ of read.matchAll(TOPIC_WORDS[topic])) {
      count += 1
      if (count >= MENTIONS) return true
    }
    return false
  })
}

export function actionsIn(text: string): readonly TranscriptAction[] {
  const read = text.slice(0, MOST_READ)
  return ACTION_PATTERNS.filter(([, pattern]) => pattern.test(read)).map(([action]) => action)
}
