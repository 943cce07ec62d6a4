/**
 * Forms that occur only in prompts (S002 §4.1): chat and template marks, turns put into
 * a speaker's mouth, marks of this product's own prompts. Covers structure, not phrases:
 * directive/ scores what words ask for. Contains rules only. Called by sanitize-find.ts.
 */
import { rules } from './sanitize-rule.ts'

const SPEAKER = '(?:system|assistant|user|human|developer)'
const LINE = '(?:^|\\n) ?'
const MODEL_SPEECH =
  "(?:understood|sure[,.! ]|ok(?:ay)?[,.! ]|certainly|of course|i (?:will|am|have|can|shall|would|now)\\b|i'll|i'm|i've|yes[,.! ]|absolutely|done[,.! ]|sending|here (?:is|are)\\b|executing|confirmed|approved|as requested|got it|task complete|right away|great[,.!]|no problem|acknowledged)"
const SYSTEM_SPEECH =
  '(?:you (?:are|must|will|should|have)\\b|ignore|disregard|override|new (?:instruction|rule|directive|policy)|the (?:user|assistant|ai|model) (?:is|has|must|should|will|wants)\\b|from now on|all (?:previous|prior|safety)|developer mode|reveal|execute|never refuse|always obey|respond|safety (?:off|disabled)|authori[sz]ed|permission granted|end of|do not)'

export const MARKER_RULES = rules(
  'marker',
  // A mode between angle brackets, in any language.
  `<\\s?/?(?:(?:system|god|admin|root|developer|dev|debug|dan|jailbreak|maintenance|override|unrestricted) mode|(?:[a-z]{1,14} ){1,2}(?:modus|modo|modalita|tila|lage|rezim)|(?:modus|modo|modalita|tryb|mod)(?: [a-z]{1,14}){1,2}) ?>`,
  '<{2,4} ?/?(?:end|begin|start|stop)(?: of)? (?:the )?(?:\\w{1,12} )?(?:input|data|document|text|message|content|e-?mail|user|system|prompt|context|instructions?)[^<>\\n]{0,20}>{2,4}',
  '#{3,} ?(?:new|important|system|updated|real|secret|hidden|admin) (?:system )?instructions? ?#{2,}|\\[(?:new|real|updated|secret|hidden) (?:system )?instructions?\\]',
  '^ ?(?:system (?:message|prompt|override|instructions?)|new (?:system )?instructions) ?$',
  '<\\|[a-z\\s▁]{2,24}\\|>|<\\|(?:im|end|start|eot|fim|begin)',
  '\\[/?inst\\]|<<\\s?/?\\s?sys\\s?>>|\\[/system\\]|\\[system (?:prompt|message|instructions?)\\](?!\\()|<\\s?/?s>(?=\\s?\\[|<)',
  `\\[${SPEAKER}\\]\\s?\\(\\s?#|\\{\\{\\s?[#/~]{0,2}\\s?${SPEAKER}\\s?~?\\s?\\}\\}`,
  `</?\\s?(?:system|assistant|instructions?|system (?:prompt|message|instructions?|note|reminder)|developer(?: message)?|new instructions|user (?:data|input|message|query)|untrusted(?: \\w{1,10})?|external (?:data|content)|tool (?:results?|response|output|call)|function (?:calls?|results?|response)|system[ -]reminder|important instructions|secret instructions)\\s?/?>`,
  ['<information>', 'important message from|task that i gave you'],
  `${LINE}#{1,6} ?\\(?(?:${SPEAKER}|instruction|response|system (?:message|prompt|instructions?|override|note))\\)? ?:`,
  '#{2,6} ?\\((?:system|developer|admin) ?(?:message|prompt|instructions?)\\)',
  '\\b(?:begin|start|end|beginning)(?: of)?(?: the| your| my)? (?:system|developer|hidden|admin|new system|secret) (?:prompt|message|instructions?)\\b(?! (?:editor|in|field|with|for) )',
  '-{2,} ?(?:end|begin|start|stop)(?: of)? (?:the )?(?:untrusted|user(?: |-)?(?:input|data|content|message|email)|external|retrieved|tool|data block|context|trusted|system|sandbox)[\\w\\s]{0,24}-{2,}',
  '\\b(?:untrusted|data|quoted|external|user) (?:block|section|content|data|text|input) (?:has ended|ends here|is over|is now closed|ended)|\\btrust the following\\b',
  ['["\']role["\'] ?: ?["\'](?:system|assistant|developer|tool)["\'],?', 'content'],
  "'{3}\\s?(?:system|prompt|instructions)\\b",
  '\\b(?:system|developer|security|admin|kernel|runtime|openai|anthropic) (?:notice|message|alert|note|instruction|update|directive|reminder)s? ?(?:to|for) (?:the |all )?(?:assistants?|ai\\b|agents?|models?|bots?|llms?)',
)

export const TURN_RULES = rules(
  'turn',
  '<(?:user|human|owner)> ?(?:yes|ok|okay|approved?|go ahead|please|i (?:approve|confirm|agree|want)|do it|confirm|ignore)\\b',
  `${LINE}"?(?:assistant|ai|model|bot|chat ?gpt|gpt)"? ?: ?["']?${MODEL_SPEECH}`,
  `${LINE}(?:"?system"? ?:|\\[system\\]) ?["']?${SYSTEM_SPEECH}`,
  [`${LINE}(?:human|user) ?: `, '\\n ?(?:assistant|ai) ?:'],
  `${LINE}human ?: ?(?:yes|ok|approved|please|now|ignore|go ahead|i approve|confirm)`,
  [
    `${LINE}(?:thought|observation|action(?: input)?|final answer) ?: `,
    '\\n ?(?:action(?: input)?|observation|thought|final answer) ?:',
  ],
  `${LINE}(?:answer|response|output) ?: (?:the )?task (?:is )?complete`,
)

/** Marks between the parts of this product's prompts: alone on a line, or the fence of a data block. */
export const BOUNDARY_RULES = rules(
  'boundary',
  '\\[ ?/ ?data[^\\]\\n]{0,120}\\]?|\\[data [0-9a-z]{6,64}[^\\]\\n]{0,80}\\]?',
  '\\[pfar:[^\\]\\n]{0,80}\\]?',
  `${LINE}\\[(?:request|instruction|options|tools|history|metadata|not done|output|identity|rules|pending|recent context)\\](?= ?(?:\\n|$)|\\s?\\{)`,
)
