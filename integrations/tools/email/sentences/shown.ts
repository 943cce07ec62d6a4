/**
 * Sentences that answer, forward and file the mail just shown: "forward it to Tom", "reply: thanks". The mail is read again
 * first, so that the card shows its present text; the recipient is named by the owner, or is its single sender. Data only. Called
 * by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { AMONG, found } from './found.ts'
import {
  forwardLaterStep,
  forwardStep,
  ofShown as of,
  replyLaterStep,
  replyStep,
  SHOWN,
  SHOWN_READ,
} from './shown-steps.ts'

const ONE_OF = '(?:one|mail|email|e-mail|message)'
const ORDINAL =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|latest|newest|[1-9]\\d?(?:st|nd|rd|th)'
const GERMAN_ORDINAL = '(?:erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte|letzte)[nr]?'

/** Up to three words, none of which joins, negates, asks, or points elsewhere. */
const NAMING =
  '(?!(?:and|und|or|oder|not|nicht|then|dann|but|aber|if|wenn|to|an|all|alle|every|it|this|that|with|as|is|are|was|ist|other|next|new|last|latest|newest|unread|whole|in|into|from|by|for|no|my|your|her|his|their|its)(?![a-zäöüß]))[^\\s,;.!?:\\u0001"\']{2,40}'
export const NAMED_BY = `${NAMING}(?:\\.? ${NAMING}){0,2}?`

const LEITE = '(leite|leit|schick|schicke|gib|gebe) [bitte|mal]'

/** After a German article that stands alone: the end, or a word that is no noun. */
const ALONE =
  '(?=[.!?]*$|,? (?:an|als|auf|in|unter|weg|ab|vor|weiter|wieder|zurück|ist|bitte|mal|archivieren|löschen|\\u0001)(?![\\wäöüß]))'

const THINGS = [
  `it|(?:this|that)(?: ${ONE_OF})?|the (?:mail|email|e-mail|message)`,
  `(?:the )?(?:${ORDINAL})(?: ${ONE_OF})?|(?:number |#)[1-9]\\d?`,
  `sie|es|das|dies|(?:die|diese|der|dieser) (?:mail|e-mail|email|nachricht)|(?:die|den|das|diese[nr]?)(?: (?:da|hier))?${ALONE}`,
  `(?:die|der) ${GERMAN_ORDINAL}(?: (?:mail|e-mail|email|nachricht))?`,
  '(?:(?:die |der )?(?:mail |e-mail |email |nachricht )?(?:nummer |nr\\.? )|(?:mail|e-mail|email|message|nachricht) #?)[1-9]\\d?',
  // By words in the mail.
  `(?:the|that) ${ONE_OF} (?:from|by|about|of|regarding) (?:the |my )?${NAMED_BY}`,
  `(?:the|that) ${NAMED_BY} ${ONE_OF}`,
  `${NAMED_BY}['’]s? ${ONE_OF}`,
  // A German genitive has no apostrophe.
  `${NAMED_BY}s (?:mail|e-mail|email|nachricht)`,
  `(?:die|the) [1-9]\\d?`,
  `(?:die|diese|der|dieser) (?:(?:mail|e-mail|email|nachricht) )?(?:von|vom|von der|über|wegen) (?:der |dem )?${NAMED_BY}`,
].join('|')
/** "It", one by its position in the list, or one by words in it. */
export const THING = `(?:${THINGS})`

/** To all recipients besides its sender; the card names each of them. */
const REPLY_ALL = [
  SHOWN_READ,
  {
    ...{ id: 's2', do: 'tool', tool: 'email.reply' },
    args: {
      ...{ to: of('from'), replyTo: of('replyTo'), also: of('others') },
      ...{ id: of('id'), subject: of('subject'), body: '{topic.whole}' },
    },
  },
] as const

function filing(tool: string, more: { readonly [name: string]: string } = {}) {
  return [{ id: 's1', do: 'tool', tool, args: { ids: ['{one.id}'], ...more } }] as const
}

/** By the list's one-click link if there is one, otherwise by mail; without either, the answer says so. */
function leaving(id: string) {
  return [
    { id: 's1', do: 'tool', tool: 'email.leaving', args: { id } },
    {
      ...{ id: 's2', do: 'tool', tool: 'unsubscribe.link', args: { url: of('url') } },
      when: { ref: 's1.leave', is: 'equals', value: 'link' },
    },
    {
      ...{ id: 's3', do: 'tool', tool: 'email.unsubscribe' },
      args: { id: of('id'), to: of('address'), subject: of('subject') },
      when: { ref: 's1.leave', is: 'equals', value: 'mail' },
    },
  ] as const
}

/** The same for the newest mail with these words. */
function leavingNamed(slot: string) {
  return [
    ...found(slot),
    { id: 's3', do: 'tool', tool: 'email.leaving', args: { id: { $ref: 's2.id' } } },
    {
      ...{ id: 's4', do: 'tool', tool: 'unsubscribe.link', args: { url: { $ref: 's3.url' } } },
      when: { ref: 's3.leave', is: 'equals', value: 'link' },
    },
    {
      ...{ id: 's5', do: 'tool', tool: 'email.unsubscribe' },
      args: { id: { $ref: 's3.id' }, to: { $ref: 's3.address' }, subject: { $ref: 's3.subject' } },
      when: { ref: 's3.leave', is: 'equals', value: 'mail' },
    },
  ] as const
}

/** A time after a mark belongs to the text. */
const NOT_LATER = '[:,]\\s*\\u0001'

export const SHOWN_MAIL: Phrases['asks'] = [
  {
    says: {
      en: [
        '<answer> [to] {thing} {when} : {topic}',
        '<answer> [to] {thing} {when} <saying> {topic}',
        '<answer> {when} : {topic}',
        '<answer> {when} <saying> {topic}',
      ],
      de: [
        '<answer> [auf] {thing} {when} : {topic}',
        '<answer> [ihm|ihr] {when} : {topic}',
        '<answer> [ihm|ihr] {when} <saying> {topic}',
      ],
    },
    shown: SHOWN,
    unlike: NOT_LATER,
    later: [SHOWN_READ, replyStep()],
    plan: [SHOWN_READ, replyLaterStep()],
  },
  {
    says: {
      en: ['<pass> {thing} to {whom} {when}', '<pass> {thing} {when} to {whom}'],
      de: [`${LEITE} {thing} {when} an {whom} weiter`],
    },
    shown: SHOWN,
    later: [SHOWN_READ, forwardStep('s1')],
    plan: [SHOWN_READ, forwardLaterStep('s1')],
  },
  {
    says: {
      en: [
        '<answer> [to] <everyone> [<saying>] : {topic}',
        '<answer> [to] <everyone> <saying> {topic}',
        '<answer> [to] {thing} [to] <everyone> : {topic}',
        '<answer> [to] <everyone> (of|on|in) {thing} : {topic}',
      ],
      de: [
        '<answer> [an] <everyone> : {topic}',
        '<answer> [an] <everyone> <saying> {topic}',
        '<answer> [auf] {thing} [an] <everyone> : {topic}',
      ],
    },
    shown: SHOWN,
    plan: REPLY_ALL,
  },
  {
    says: {
      en: ['<answer> [to] {thing} <saying> {topic}', '<answer> [to] {thing} : {topic}'],
      de: ['<answer> [auf] {thing} <saying> {topic}', '<answer> [auf] {thing} : {topic}'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, replyStep()],
  },
  {
    says: {
      en: ['<answer> <saying> {topic}', '<answer> : {topic}'],
      de: ['<answer> [ihm|ihr] <saying> {topic}', '<answer> [ihm|ihr] : {topic}'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, replyStep()],
  },
  {
    says: {
      en: [
        '<pass> {thing} to {whom} (w|w/|with) (a|the) [short|quick] note : {topic}',
        '<pass> {thing} to {whom} <note> {topic}',
        '<pass> {thing} to {whom} : {topic}',
      ],
      de: [
        `${LEITE} {thing} an {whom} weiter : {topic}`,
        `${LEITE} {thing} an {whom} weiter mit der notiz [:] {topic}`,
      ],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, forwardStep('s1', { note: '{topic.whole}' })],
  },
  {
    says: {
      en: ['<pass> {thing} to {whom}'],
      // "an" comes first: otherwise "die Mail" alone would be sent to "von Sarah an Tom".
      de: [`${LEITE} {thing} an {whom} weiter`, `${LEITE} {thing} {whom} weiter`],
    },
    shown: SHOWN,
    plan: [SHOWN_READ, forwardStep('s1')],
  },
  {
    says: {
      en: ['(archive|file away) {thing}', 'file {thing} away'],
      de: ['(archiviere|archivier) {thing}', '{thing} archivieren', '(leg|lege) {thing} [bitte] ab'],
    },
    shown: SHOWN,
    plan: filing('email.archive'),
  },
  {
    says: {
      en: [
        '(delete|trash|bin|remove|throw away) {thing}',
        '(put|move|throw) {thing} (in|into|to) [the|my] (trash|bin)',
        'throw {thing} away',
      ],
      de: ['(lösche|lösch|entferne) {thing}', '(wirf|werfe) {thing} weg'],
    },
    shown: SHOWN,
    plan: filing('email.delete'),
  },
  {
    says: {
      en: [
        "(that|that's|this|it|it's) [is] (spam|junk) [mail]",
        '(mark|flag|report) {thing} (as|is) (spam|junk)',
        '(put|move) {thing} (in|into|to) [the|my] (spam|junk) [folder]',
        '{thing} is (spam|junk) [mail]',
      ],
      de: [
        '(das|die|diese mail) ist (spam|werbung)',
        '(markiere|markier|melde) {thing} als spam',
        '{thing} ist (spam|werbung)',
      ],
    },
    shown: SHOWN,
    plan: filing('email.spam'),
  },
  {
    says: {
      en: [
        'unsubscribe [me] from [the|my|that] {named_mailing}',
        '(take me off|get me off|remove me from|stop) [the|my|that] {named_mailing}',
      ],
      de: ['(bestell|bestelle) [den|meinen|diesen] {named_mailing} ab'],
    },
    among: AMONG,
    plan: leavingNamed('{named_mailing}'),
  },
  {
    says: {
      en: [
        'unsubscribe [me] from (the|my) {mailing}',
        '(take me off|get me off|remove me from) (the|my) {mailing}',
      ],
      de: ['(bestell|bestelle) (den|meinen) {mailing} ab', 'melde mich vom {mailing} ab'],
    },
    shown: SHOWN,
    otherwise: leavingNamed('{mailing}'),
    plan: leaving('{one.id}'),
  },
  {
    says: {
      en: [
        'unsubscribe [me] [please]',
        'unsubscribe [me] from {thing}',
        'unsubscribe [me] from (this|that|the) (list|newsletter|sender|mailing list)',
        '(take me off|get me off|remove me from) (this|that|the) (list|mailing list|newsletter)',
      ],
      de: [
        'melde mich [davon|dort|von der liste|vom newsletter] ab',
        '(bestell|bestelle) (das|den newsletter|diesen newsletter|die liste) ab',
        '(den|diesen) newsletter abbestellen',
      ],
    },
    shown: SHOWN,
    plan: leaving('{one.id}'),
  },
  {
    says: {
      en: [
        '(mark|flag|set) {thing} [as|to|is] (important|flagged|starred|urgent|a favourite|a favorite)',
        '(star|flag) {thing}',
        'put a (star|flag) on {thing}',
      ],
      de: [
        '(markiere|markier) {thing} [als] (wichtig|dringend)',
        '(setz|setze) {thing} auf wichtig',
        '(mach|mache) (einen stern|ein fähnchen) an {thing}',
      ],
    },
    shown: SHOWN,
    plan: filing('email.mark', { as: 'flagged' }),
  },
  {
    says: {
      en: [
        '(unstar|unflag) {thing}',
        '(mark|flag) {thing} [as] (not important|unimportant|unflagged)',
        '(take|remove) the (star|flag) (off|from) {thing}',
      ],
      de: ['(markiere|markier) {thing} [als] (nicht wichtig|unwichtig)'],
    },
    shown: SHOWN,
    plan: filing('email.mark', { as: 'unflagged' }),
  },
  {
    says: {
      en: [
        '(is|could|might|can) {thing} [be] [a|an] [really|maybe|perhaps] (scam|phishing|fraud|fake|phish|hoax|spoof|dangerous|safe|legit|legitimate|genuine|real|trustworthy|suspicious|fishy|malicious) [mail|email|message|one]',
        '(do you think|i think) {thing} is [a] (scam|phishing|fraud|fake|hoax|safe|legit|legitimate|genuine|real|suspicious|fishy)',
        '(does|do) {thing} look [like] [a] (scam|phishing|fraud|fake|safe|legit|genuine|real|suspicious|fishy) [to you]',
        'can (I|we) trust {thing}',
      ],
      de: [
        'ist {thing} [ein|eine] [wirklich|vielleicht] (betrug|betrugsversuch|phishing|fälschung|fake|echt|seriös|sicher|gefährlich|verdächtig|vertrauenswürdig|unseriös)',
        'kann (ich|man) {thing} (trauen|vertrauen)',
      ],
    },
    shown: SHOWN,
    lacks: 'cannot_judge_mail',
    plan: [],
  },
  {
    says: {
      en: ['(mark|flag) {thing} [as] unread'],
      de: ['(markiere|markier) {thing} [als] ungelesen'],
    },
    shown: SHOWN,
    plan: filing('email.mark', { as: 'unread' }),
  },
  {
    says: {
      en: ['(mark|flag) {thing} [as] read'],
      de: ['(markiere|markier) {thing} [als] gelesen'],
    },
    shown: SHOWN,
    plan: filing('email.mark', { as: 'read' }),
  },
  {
    says: {
      en: [
        '(move|put|file) {thing} (in|into|to|under) [the|my] (folder|label) {what}',
        '(move|put|file) {thing} (in|into|to|under) [the|my] {what} (folder|label)',
        'label {thing} (as|with) {what}',
      ],
      de: [
        '(verschieb|verschiebe|leg|lege) {thing} in (den ordner|meinen ordner|das label) {what}',
        '(verschieb|verschiebe|leg|lege) {thing} (unter|in) das label {what}',
      ],
    },
    shown: SHOWN,
    plan: filing('email.file', { folder: '{what}' }),
  },
  {
    says: {
      de: ['(lies|lese|les|öffne|zeig|zeige) [mir] [bitte|mal] {thing} [bitte] [vor|an|vorlesen]'],
    },
    shown: SHOWN,
    plan: [SHOWN_READ],
  },
]
