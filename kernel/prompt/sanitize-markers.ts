/**
 * Markers of chat and prompt formats, imitated turns, imitations of this product's own marks (S002 §4.1, N-21). A form with
 * fields "System:", "User:" and "Assistant:" does not match: a model's speech or a second turn must follow. Holds rules only.
 * Called by sanitize-find.ts.
 */
import { type Rule, rule } from './sanitize-rule.ts'

const SPEAKER = '(?:system|assistant|user|human|developer)'
const LINE = '(?:^|\\n) ?'
const MODEL_SPEECH =
  "(?:understood|sure[,.! ]|ok(?:ay)?[,.! ]|certainly|of course|i (?:will|am|have|can|shall|would|now)\\b|i'll|i'm|i've|yes[,.! ]|absolutely|done[,.! ]|sending|here (?:is|are)\\b|executing|confirmed|approved|as requested|got it|task complete|right away|great[,.!]|no problem|acknowledged)"
const SYSTEM_SPEECH =
  '(?:you (?:are|must|will|should|have)\\b|ignore|disregard|override|new (?:instruction|rule|directive|policy)|the (?:user|assistant|ai|model) (?:is|has|must|should|will|wants)\\b|from now on|all (?:previous|prior|safety)|developer mode|reveal|execute|never refuse|always obey|respond|safety (?:off|disabled)|authori[sz]ed|permission granted|end of|do not)'

export const MARKER_RULES: readonly Rule[] = [
  rule(
    'marker',
    '<{2,4} ?/?(?:end|begin|start|stop)(?: of)? (?:the )?(?:\\w{1,12} )?(?:input|data|document|text|message|content|e-?mail|user|system|prompt|context|instructions?)[^<>\\n]{0,20}>{2,4}',
  ),
  rule(
    'marker',
    '#{3,} ?(?:new|important|system|updated|real|secret|hidden|admin) (?:system )?instructions? ?#{2,}|\\[(?:new|real|updated|secret|hidden) (?:system )?instructions?\\]',
  ),
  rule('marker', '^ ?(?:system (?:message|prompt|override|instructions?)|new (?:system )?instructions) ?$'),
  rule('marker', '<\\|[a-z\\s▁]{2,24}\\|>|<\\|(?:im|end|start|eot|fim|begin)'),
  rule(
    'marker',
    '\\[/?inst\\]|<<\\s?/?\\s?sys\\s?>>|\\[/system\\]|\\[system (?:prompt|message|instructions?)\\](?!\\()|<\\s?/?s>(?=\\s?\\[|<)',
  ),
  rule('marker', `\\[${SPEAKER}\\]\\s?\\(\\s?#|\\{\\{\\s?[#/~]{0,2}\\s?${SPEAKER}\\s?~?\\s?\\}\\}`),
  rule(
    'marker',
    `</?\\s?(?:system|assistant|instructions?|system (?:prompt|message|instructions?|note|reminder)|developer(?: message)?|new instructions|user (?:data|input|message|query)|untrusted(?: \\w{1,10})?|external (?:data|content)|tool (?:results?|response|output|call)|function (?:calls?|results?|response)|system[ -]reminder|important instructions|secret instructions)\\s?/?>`,
  ),
  rule('marker', '<information>', 'important message from|task that i gave you'),
  rule(
    'marker',
    `${LINE}#{1,6} ?\\(?(?:${SPEAKER}|instruction|response|system (?:message|prompt|instructions?|override|note))\\)? ?:`,
  ),
  rule('marker', '#{2,6} ?\\((?:system|developer|admin) ?(?:message|prompt|instructions?)\\)'),
  rule(
    'marker',
    '\\b(?:begin|start|end|beginning)(?: of)?(?: the| your| my)? (?:system|developer|hidden|admin|new system|secret) (?:prompt|message|instructions?)\\b(?! (?:editor|in|field|with|for) )',
  ),
  rule(
    'marker',
    '-{2,} ?(?:end|begin|start|stop)(?: of)? (?:the )?(?:untrusted|user(?: |-)?(?:input|data|content|message|email)|external|retrieved|tool|data block|context|trusted|system|sandbox)[\\w\\s]{0,24}-{2,}',
  ),
  rule(
    'marker',
    '\\b(?:untrusted|data|quoted|external|user) (?:block|section|content|data|text|input) (?:has ended|ends here|is over|is now closed|ended)|\\btrust the following\\b',
  ),
  rule('marker', '["\']role["\'] ?: ?["\'](?:system|assistant|developer|tool)["\'],?', 'content'),
  rule('marker', "'{3}\\s?(?:system|prompt|instructions)\\b"),
  rule(
    'marker',
    '\\b(?:system|developer|security|admin|kernel|runtime|openai|anthropic) (?:notice|message|alert|note|instruction|update|directive|reminder)s? ?(?:to|for) (?:the |all )?(?:assistants?|ai\\b|agents?|models?|bots?|llms?)',
  ),
]

export const TURN_RULES: readonly Rule[] = [
  rule(
    'turn',
    '<(?:user|human|owner)> ?(?:yes|ok|okay|approved?|go ahead|please|i (?:approve|confirm|agree|want)|do it|confirm|ignore)\\b',
  ),
  rule('turn', `${LINE}"?(?:assistant|ai|model|bot|chat ?gpt|gpt)"? ?: ?["']?${MODEL_SPEECH}`),
  rule('turn', `${LINE}(?:"?system"? ?:|\\[system\\]) ?["']?${SYSTEM_SPEECH}`),
  rule('turn', `${LINE}(?:human|user) ?: `, '\\n ?(?:assistant|ai) ?:'),
  rule('turn', `${LINE}human ?: ?(?:yes|ok|approved|please|now|ignore|go ahead|i approve|confirm)`),
  rule(
    'turn',
    `${LINE}(?:thought|observation|action(?: input)?|final answer) ?: `,
    '\\n ?(?:action(?: input)?|observation|thought|final answer) ?:',
  ),
  rule('turn', `${LINE}(?:answer|response|output) ?: (?:the )?task (?:is )?complete`),
]

/** Marks between the parts of this product's prompts: alone on a line, or the fence of a data block. */
export const BOUNDARY_RULES: readonly Rule[] = [
  rule('boundary', '\\[ ?/ ?data[^\\]\\n]{0,120}\\]?|\\[data [0-9a-z]{6,64}[^\\]\\n]{0,80}\\]?'),
  rule('boundary', '\\[pfar:[^\\]\\n]{0,80}\\]?'),
  rule(
    'boundary',
    `${LINE}\\[(?:request|instruction|options|tools|history|metadata|not done|output|identity|rules|pending|recent context)\\](?= ?(?:\\n|$)|\\s?\\{)`,
  ),
]
