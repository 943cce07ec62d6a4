/**
 * Sentences about mail folders: which exist, what one contains, a search in one, creating one, and moving a mail into one. Data
 * only. Called by phrases.ts.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './shown-steps.ts'

/** A name of up to five words, or one in quotation marks. */
export const FOLDER_NAME =
  '(?:["“„][^"“”„\\n]{1,60}["”“]|[^\\s,;.!?:"]{1,40}(?:\\s[^\\s,;.!?:"]{1,40}){0,4}?)'

const FOLDERS = '(folders|labels|mail folders|email folders|mailboxes)'
const ORDNER = '(ordner|mailordner|mail-ordner|labels)'
const FOLDER = '(folder|label|mail folder|email folder)'
const MAIL = '(mail|mails|email|emails|messages)'
const POST = '(mails|mail|emails|nachrichten|post)'
const LOOK = "(what is|what's|whats|show me what is|show me what's|see what is|see what's|check what is)"
/** Other places that "move it to" can refer to. */
const ELSEWHERE =
  '\\b(?:in|into|to|under|nach|unter|zu) (?:(?:the|my|den|die|das|dem|der|mein|meine[nmr]?) )?(?:calendar|kalender|list|liste|to-?dos?|tasks?|aufgaben|notes?|notiz(?:en)?|reminders?|erinnerungen|memory|inbox|posteingang|spam|junk|trash|bin|papierkorb|archive|archiv|files?|datei(?:en)?|top|bottom|front|end|back|next|later|tomorrow|morgen|page|seite)\\b'

const listing = (more: { readonly [name: string]: boolean } = {}) =>
  [{ id: 's1', do: 'tool', tool: 'email.list', args: { in: '{folder}', ...more } }] as const

export const FOLDERING: Phrases['asks'] = [
  {
    says: {
      en: [
        `(what|which) ${FOLDERS} (do I have|have I got|are there|did I make) [in my (mail|email|mailbox|account)]`,
        `(what|which) ${FOLDERS} (does|has) my (mail|email|mailbox|inbox|account) [have|got]`,
        `(list|show|show me|name|tell me|give me) [all] [of] my ${FOLDERS}`,
        `what are my ${FOLDERS} [called]`,
        '(list|show|show me|name) the (folders|labels) (of|in) my (mail|email|mailbox|inbox)',
      ],
      de: [
        `(welche|was für) ${ORDNER} (habe ich|hab ich|gibt es|hat mein postfach) [in meinem postfach|im postfach|in meinen mails|bei den mails]`,
        `(zeig|zeige|nenn|nenne|liste) [mir] [alle] (meine|die) ${ORDNER} [auf|an]`,
      ],
    },
    yields: true,
    plan: [{ id: 's1', do: 'tool', tool: 'email.folders', args: {} }],
  },
  {
    says: {
      en: [
        `(show|list|check|see|read|get|open) [me] [all] [of] (the|my) ${MAIL} (in|under|from) [the|my] ${FOLDER} [called] {folder}`,
        `(show|list|check|see|read|get|open) [me] [all] [of] (the|my) ${MAIL} (in|under|from) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
        `(what|which) ${MAIL} (is|are|do I have) (in|under) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
        `(what|which) ${MAIL} (is|are|do I have) (in|under) [the|my] ${FOLDER} [called] {folder}`,
        `${LOOK} [there] (in|under) [the|my] !(the|my|a|an|this|that|new) {folder} (mail folder|email folder|label)`,
        `${LOOK} [there] (in|under) [the|my] (mail folder|email folder|label) [called] {folder}`,
      ],
      de: [
        `(zeig|zeige|liste|lies) [mir] [alle] [die|meine] ${POST} (in|im|in dem|in meinem|aus dem|aus meinem|unter dem) (ordner|label) {folder} [auf|an]`,
        `(welche|was für) ${POST} (sind|liegen|ist|liegt|habe ich|hab ich) (im|in dem|in meinem|unter dem) (ordner|label) {folder}`,
      ],
    },
    yields: true,
    plan: listing(),
  },
  {
    says: {
      en: [
        `${LOOK} [there] (in|under) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
        `${LOOK} [there] (in|under) [the|my] ${FOLDER} [called] {folder}`,
        `(open|show|show me|check|look in|look into|look at) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
        `(is there anything|anything|is anything) (in|under) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
      ],
      de: [
        `(was ist|was liegt|was gibt es|was steht|zeig mir was ist) (im|in dem|in meinem|unter dem) (ordner|label) {folder}`,
        `(öffne|zeig|zeige|zeig mir|zeige mir) (den|meinen|das|mein) (ordner|label) {folder} [an]`,
      ],
    },
    yields: true,
    plan: listing(),
  },
  {
    says: {
      en: [
        `(what is|what's|whats|anything|is there anything|any) (new|unread) [${MAIL}] (in|under) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
      ],
      de: ['(gibt es|ist|was ist) [was|etwas] (neues|neu|ungelesen) (im|in meinem|in dem) ordner {folder}'],
    },
    yields: true,
    plan: listing({ unread: true }),
  },
  {
    says: {
      en: [
        `(search|look through|go through|look in) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER} for [the|my|an|a] {what}`,
        `(search|look through|go through|look in) [the|my] ${FOLDER} {folder} for [the|my|an|a] {what}`,
        `(find|search for|look for) [the|my|an|a] {what} in [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {folder} ${FOLDER}`,
        `(find|search for|look for) [the|my|an|a] {what} in [the|my] ${FOLDER} {folder}`,
      ],
      de: [
        '(durchsuch|durchsuche) (den|meinen) ordner {folder} nach [dem|der] {what}',
        '(such|suche|find|finde) [nach] [der|dem|die|den|das] {what} (im|in dem|in meinem) ordner {folder}',
        '(such|suche) (im|in dem|in meinem) ordner {folder} nach [der|dem] {what}',
      ],
    },
    yields: true,
    plan: [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: '{what}', in: '{folder}' } }],
  },
  {
    says: {
      en: [
        `(make|create|add|set up|start) [me] (a|an|another|the) [new] ${FOLDER} (called|named|for|with the name) {folder}`,
        `(make|create|add) [me] [a] new ${FOLDER} : {folder}`,
        `(make|create|add|set up) [me] (a|an) [new] !(new|mail|email) {folder} ${FOLDER} in my (mail|email|mailbox)`,
      ],
      de: [
        '(mach|mache|leg|lege|erstell|erstelle) [mir] [bitte] (einen|ein) [neuen|neues] (ordner|mailordner|mail-ordner|label) (namens|mit dem namen|mit namen|für) {folder} an',
        '(mach|mache|erstell|erstelle) [mir] [bitte] (einen|ein) [neuen|neues] (ordner|mailordner|mail-ordner|label) (namens|mit dem namen|mit namen|für) {folder}',
      ],
    },
    yields: true,
    plan: [{ id: 's1', do: 'tool', tool: 'email.make_folder', args: { folder: '{folder}' } }],
  },
  {
    says: {
      en: [
        '(move|put|file|shift) {thing} (in|into|to|under) [the|my] !(the|my|a|an|this|that|new|mail|email|file|files) {what}',
      ],
      de: [
        '(verschieb|verschiebe|schieb|schiebe|leg|lege|pack|packe) {thing} (nach|in|unter|zu|in den|zu den) {what} [ab]',
      ],
    },
    yields: true,
    shown: { ...SHOWN, unknown: 'not_understood' },
    unlike: ELSEWHERE,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'email.file' },
        args: { ids: ['{one.id}'], folder: '{what}' },
      },
    ],
  },
]
