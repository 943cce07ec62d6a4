/**
 * Recognises messages that look back: what the owner or the assistant sent, to whom, and whether it went out;
 * and questions with a pronoun about the last result. They resemble requests for new mail or events. Must not
 * know what was shown, nor a tool. Called by home's extractor and looking-back.ts.
 */

import { enteredIn } from './message-entered.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** UTF-16 units: such questions are short. */
const LONGEST = 140

const SENT =
  '(?:sent|send|wrote|write|written|replied|reply|answered|answer|forwarded|forward|mailed|emailed|e-mailed|messaged|(?:ab|ver|raus|hinaus|weg|weiter|zurück)?ge?schickt|verschickt|(?:ab|ver)?gesendet|versandt|versendet|(?:zurück)?geschrieben|geantwortet|beantwortet|weitergeleitet|gemailt)'
const WE = '(?:i|we|you)'
const WIR = '(?:ich|wir|du)'
/**
 * The owner or the assistant is who sent: "did you send", "what I've written", "hast du … abgeschickt", "was
 * ich geschickt hab".
 */
const OUR_SENDING = [
  new RegExp(
    `${B}(?:did|have|had) ${WE} (?:(?:just|already|ever|even|really|actually|also|last|not|never) )*(?:${SENT}|e-?mail|mail|message)${E}`,
    'iu',
  ),
  new RegExp(
    `${B}${WE}(?:['’]ve| have| had)? (?:(?:just|already|last|ever|really|actually) )*(?:sent|wrote|written|replied|answered|forwarded|mailed|emailed)${E}`,
    'iu',
  ),
  new RegExp(`${B}(?:hab|habe|haben|hast) ${WIR}${E}[^?]{0,60}?${B}${SENT}${E}`, 'iu'),
  new RegExp(`${B}${WIR}${E}[^?]{0,40}?${B}${SENT} (?:hab|habe|haben|hast)${E}`, 'iu'),
]
const MAIL =
  '(?:(?:e-?)?mails?|messages?|repl(?:y|ies)|answers?|letters?|nachricht(?:en)?|antwort(?:en)?|brief)'
/**
 * What was sent is what it is asked of: "did my answer to Sarah go out?", "ist die Mail an Mira raus?", "did
 * Sarah get my mail?".
 */
const GONE = [
  new RegExp(
    `^(?:did|has|have|was|were|is) (?:the|my|our|your|that) (?:\\p{L}+ )?${MAIL}${E}[^?]{0,50}?${B}(?:go out|gone out|go through|gone through|get sent|been sent|sent|go|gone|out|arrive|arrived)[\\s?.!]*$`,
    'iu',
  ),
  new RegExp(
    `^(?:ist|sind|ging|gingen|wurde|wurden) (?:die|meine|deine|unsere) (?:\\p{L}+ )?${MAIL}${E}[^?]{0,50}?${B}(?:raus|rausgegangen|hinaus|weg|fort|angekommen|${SENT})[\\s?.!]*$`,
    'iu',
  ),
  new RegExp(
    `^(?:did|has|have) (?<got>(?!i${E}|we${E}|you${E}|any)[\\p{L}.'’ -]{2,40}?) (?:get|got|gotten|receive|received) (?:my|our|the|your) (?:\\p{L}+ )?${MAIL}${E}`,
    'iu',
  ),
  new RegExp(
    `^(?:hat|haben) (?<got>(?!ich${E}|wir${E}|du${E})[\\p{L}.'’ -]{2,40}?) (?:meine|unsere|deine|die) (?:\\p{L}+ )?${MAIL} (?:schon )?(?:bekommen|gekriegt|erhalten)${E}`,
    'iu',
  ),
]
/** It asks, or wants to see. */
const ASKS = new RegExp(
  `^(?:(?:and|und|so|ok|okay|also|hey|na|sag mal|but|aber)[ ,]+)*(?:what|which|who|whom|to whom|where|when|did|have|had|has|was|were|is|show|list|see|read|tell me|(?:can|could) (?:i|you)|wo|wem|an wen|was|welche\\p{L}*|wann|hast|hab|habe|haben|hat|ist|sind|ging|wurden?|zeig\\p{L}*|lies|kann (?:ich|man)|wie viele?)${E}`,
  'iu',
)
/** Goes elsewhere, came to the owner, or is to be sent now. */
const ELSE = new RegExp(
  `:\\s|${B}(?:down|note|notes|post|posts|posted|tweet\\p{L}*|comment\\p{L}*|issue|page|list|calendar|diary|reminder|file|files|liste|kalender|notiz\\p{L}*|seite|datei|dateien|erinnerung|bekommen|gekriegt|erhalten|received|auf\\p{L}*schrieben)${E}|${B}(?:send|sent|write|wrote|written|schick\\p{L}*|geschickt|geschrieben) (?:to )?(?:me|us|mir|uns)${E}|${B}(?:mir|uns)${E}|${B}(?:to|by) (?:me|us)${E}`,
  'iu',
)
/** What it says is asked, of one. */
const CONTENT = new RegExp(
  `^(?:(?:and|und|so|ok|okay|also|na)[ ,]+)*(?:what|was|read|lies|show me what|zeig\\p{L}* mir was)${E}`,
  'iu',
)
const OF_MANY = new RegExp(
  `${B}(?:all|mails|e-?mails|messages|replies|letters|everything|today|yesterday|week|alles?|nachrichten|antworten|heute|gestern|woche|wem|whom|who)${E}`,
  'iu',
)
/** Whether it was done. */
const WHETHER =
  /^(?:(?:and|und|so|ok|okay|also|na)[ ,]+)*(?:did|have|has|had|was(?! (?:hab|habe|hast|haben|ich|du|wir)(?!\p{L}))|were|is|hast|hab|habe|haben|hat|ist|sind|ging|wurden?)(?!\p{L})/iu
const NOW = new RegExp(`${B}(?:now|jetzt|gerade|just now|right now)${E}`, 'iu')
/** Begins today, as a time: its days before are asked for. */
const THIS_WEEK =
  /(?<!\p{L})(?:this|diese[rnm]?|lately|recently|neulich|letztens) ?(?:week|month|woche|monat)?(?!\p{L})/iu
const PRONOUN =
  /^(?:her|him|them|she|he|they|it|that|this|ihr|ihm|ihnen|ihn|sie|er|dem|der|die|das|denen|es)$/iu
const NAME =
  "(?!(?:the|my|our|a|an|me|us|him|her|them|that|this|it|die|der|den|dem|das|mich|uns|ihn|sie|ihm|ihr|ihnen|today|yesterday|heute|gestern|to|an|her|about|regarding|concerning|wegen|über|on|for|with|and|und|back|any\\p{L}*|some\\p{L}*|exactly|yet|already|again|mails?|e-?mails?|messages?|repl(?:y|ies)|answers?|last|this|now|just)(?![\\p{L}]))[\\p{L}\\p{N}.@_+'’-]{2,40}"
/** To whom. */
const TO = new RegExp(
  `${B}(?:to|an) (?:the |my |our |die |den |das |der |dem |meine[nr]? |unsere[nr]? )?(?<who>${NAME}(?: (?!(?:go|gone|get|been|sent|out|exactly|already|yet|today|yesterday|this|last|really|actually|jetzt|schon|wirklich|heute|gestern|raus|${SENT})${E})${NAME}){0,2})`,
  'iu',
)
/** Whom somebody wrote to, where no word stands before it: "did I answer Tom?". */
const OBJECT = new RegExp(
  `${B}(?:answer|answered|e-?mail(?:ed)?|mail(?:ed)?|messaged?|write|written|wrote) (?:back )?(?:the |my |our )?(?<who>(?!(?:${SENT}|out|gone|go|through|raus|weg|da|there)${E})${NAME}(?: (?!(?:${SENT})${E})${NAME})?)`,
  'iu',
)
/** What it is about. */
const ABOUT =
  /(?<!\p{L})(?:about|regarding|concerning|wegen|über) (?:(?:the|my|our|der|die|das|dem|den|des|meine[rnm]?) )?(?<words>[\p{L}\p{N}'’. -]{2,60}?)(?: (?:geschrieben|geschickt|geantwortet|verschickt|gesendet|hab\p{L}*|hast|today|yesterday|heute|gestern|this week|last week))*[\s?.!]*$/iu
/** The one mail, and no other. */
const THE_MAIL = new RegExp(
  `${B}(?:it|that|sie|es|das|(?:the|my|your|that|die|meine|deine) (?:last |letzte )?${MAIL})${E}`,
  'iu',
)
/** Between who sent and what was done, a German name stands alone: "was hast du Sarah geschrieben", "hab ich sarah schon geantwortet". */
const SOON =
  'da|denn|heute|gestern|gerade|eben|zuletzt|nochmal|schon|noch|überhaupt|eigentlich|auch|jetzt|bereits|wirklich|nie|nicht|genau|je|jemals'
const DATIVE = new RegExp(
  `${B}(?:hast du|hab ich|habe ich|haben wir) (?:(?:${SOON}) )*(?<who>(?!(?:${SOON}|was|nichts|etwas|eine?|keine?|alles|viele?|wem|diese\\p{L}*|meine?\\p{L}*|seine?\\p{L}*|ihre?\\p{L}*|auf)${E})${NAME})(?: (?:${SOON}))* (?:geschrieben|geantwortet|geschickt|gemailt)${E}`,
  'iu',
)

/** One question about what was shown, by a pronoun. */
const IT = '(?:it|that|this|that one|this one|the mail|that mail|this mail|the email|that email)'
const ES = '(?:das|die|sie|es|der|dies|diese|diese mail|die mail|diese nachricht|die nachricht)'
const CLAUSE = [
  `(?:who|whom)(?:['’]s| is| was|s)? (?:${IT} )?from(?: exactly)?`,
  `(?:who|whom)(?:['’]s| is| was|s) ${IT} from`,
  `from (?:who|whom)(?:['’]s| is| was| did) ${IT}(?: come)?`,
  `who (?:sent|wrote|has sent|has written) ${IT}`,
  `when (?:did|was|is) ${IT} (?:sent|come|arrive|written|due|from)`,
  `how much (?:is|was|does) (?:${IT}|he|she|they)(?: for| cost| come to| want)?`,
  `what(?:['’]s| is) the (?:amount|total|sum|subject|date|price|deadline)`,
  `what (?:does|do) (?:${IT}|he|she|they) (?:say|want|need|ask|cost|write)(?: for| from me| of me)?(?: exactly)?`,
  `what(?:['’]s| is) (?:${IT} about|in (?:it|there))`,
  `(?:von wem|wer) (?:ist|kommt|kam|stammt|war) ${ES}(?: denn| eigentlich| nochmal)*`,
  `wer (?:hat )?${ES} (?:denn )?(?:geschrieben|geschickt|gesendet)(?: hat)?`,
  `wer (?:hat|schreibt) (?:mir )?${ES}(?: da)?(?: geschickt| geschrieben)?`,
  `wie ?viel (?:ist|kostet|macht|soll|will) (?:${ES}|er)(?: denn)?(?: kosten| haben)?`,
  `wie hoch ist (?:${ES}|der betrag|die rechnung|die summe)(?: denn)?`,
  `wann ist (?:${ES}|das geld|der betrag) (?:denn )?fällig`,
  `(?:was|wo) steht (?:da|dort|hier|da so|da genau|denn da)(?: genau| denn| so)?(?: drin| drauf)?`,
  'was steht (?:darin|drin)(?: genau| denn)?',
  `was (?:will|möchte|braucht|schreibt|sagt|meint) (?:er|sie|der|die)(?: denn| genau| da| von mir)*`,
  'worum geht(?: es|s)?(?: da| denn| dabei| darin)*',
].join('|')
const AROUND = '(?:and |und |so |ok |okay |also |na |but |aber |wait |hm,? )*'
const OF_IT = new RegExp(`^${AROUND}(?:${CLAUSE})(?:(?:,| and| und)+ (?:${CLAUSE}))*[\\s?.!]*$`, 'iu')
/** One that is named among those shown, and a question about it behind what is said of it. */
const NAMED_ONE = new RegExp(
  `^${AROUND}(?<one>(?:the|that|this) (?:one|mail|email|e-mail|message) (?:from|by|about) (?:the |my )?[\\p{L}\\p{N}.&'’-]+(?: [\\p{L}\\p{N}.&'’-]+){0,3}?)(?: (?:looks?|seems?|is|was|sounds?|feels?)${E}[^?]*)?[,;.–-]+ *(?:what|who|is|can|when|how|where|did|does|please)${E}`,
  'iu',
)
const NAMED_GERMAN = new RegExp(
  `^${AROUND}(?<one>(?:die|diese) (?:(?:mail|e-mail|nachricht) )?(?:von|vom|über|wegen) (?:der |dem )?[\\p{L}\\p{N}.&'’-]+(?: [\\p{L}\\p{N}.&'’-]+){0,3}?)(?: (?:sieht|wirkt|ist|war|klingt|scheint)${E}[^?]*)?[,;.–-]+ *(?:was|wer|ist|kann|wann|wie|wo|hat)${E}`,
  'iu',
)

/** Who wrote one that its place names. */
const PLACE =
  '(?<one>(?:the |die )?(?:first|second|third|fourth|fifth|sixth|seventh|last|\\d{1,2}(?:st|nd|rd|th)|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|letzt)e)(?: (?:one|mail|e-?mail|message|nachricht))?)'
const WHOSE = [
  `(?:who|whom)(?:['’]s| is| was) ${PLACE} (?:from|by)`,
  `from (?:who|whom)(?:['’]s| is| was) ${PLACE}`,
  `who (?:sent|wrote) ${PLACE}`,
  `von wem (?:ist|war|kommt|kam|stammt) (?:denn )?${PLACE}`,
  `wer hat ${PLACE} (?:geschrieben|geschickt|gesendet)`,
].map((source) => new RegExp(`^${AROUND}${source}[\\s?.!]*$`, 'iu'))

/** Whether somebody who is named has answered; who is not named is none of a person's names. */
const WHOM =
  "(?<who>(?!(?:i|we|you|he|she|it|they|my|any\\p{L}*|some\\p{L}*|every\\p{L}*|no\\p{L}*|ich|wir|du|er|sie|es|man|wer|jemand|irgend\\p{L}*|noch|schon|von|sich|mir|uns|who|all|alle|keine?r?|mein\\p{L}*)(?!\\p{L}))[\\p{L}][\\p{L}\\p{N}.@_+’'-]*(?: (?!(?:answer|repl|respon|get |got|write|wrote|written|come|mir|uns|schon|denn|jetzt|noch|auf)\\p{L}*)[\\p{L}\\p{N}.@_+’'-]+){0,2}?)"
const MINE =
  '(?: (?:to )?(?:me|us|my (?:last )?(?:mail|e-?mail|message|question|answer|reply|letter)|that|it))?'
const YET = '(?: (?:yet|already|by now|so far|today|at all|again))*'
const MIR =
  '(?: (?:mir|uns|sich|schon|denn|eigentlich|jetzt|inzwischen|mittlerweile|endlich|noch|überhaupt|wieder|bei mir|darauf|auf (?:meine (?:letzte )?(?:mail|nachricht|frage|antwort)|mein schreiben)))*'
const HEARD = [
  `(?:did|has|have) (?:the |my )?${WHOM}(?: (?:already|ever|yet|actually|finally))?(?: (?:repl(?:y|ied)|respond(?:ed)?|(?:get|got|gotten|write|wrote|written|come) back|answer(?:ed)?))${MINE}${YET}`,
  `(?:(?:is there|do i have|have i got|have i had|did i get|was there) )?(?:any |an? )(?:reply|answer|response) (?:back )?(?:by mail )?from (?:the |my )?${WHOM}${YET}`,
  `hat (?:sich )?(?:der |die |das )?${WHOM}${MIR} (?:(?:zurück)?geantwortet|zurückgeschrieben|zurückgemeldet|zurückgemailt|reagiert)`,
  `(?:(?:ist|kam|gibt es|gabs|gab es|hab ich|habe ich)${MIR} )?(?:eine |ne )?(?:antwort|rückmeldung) (?:von|vom) (?:der |dem )?${WHOM}(?: schon)?(?: (?:da|gekommen|angekommen|bekommen))?`,
].map((source) => new RegExp(`^${AROUND}${source}[\\s?.!]*$`, 'iu'))
/** Which mails wait for an answer; the day beside it is none of theirs, as what waits today waits whenever it came. */
const MAILS = '(?: (?:of )?(?:my |the )?(?:mails?|e-?mails?|messages|ones))?'
const POST = '(?:mails?|e-mails|nachrichten|post)'
const TODAY = '(?: (?:today|now|right now|this morning|tonight|still|by mail|from me|in my (?:mail|inbox)))*'
const HEUTE = '(?: (?:heute|jetzt|gerade|noch|alles|denn|eigentlich|von mir|per mail))*'
const UNANSWERED = [
  `(?:what|which|who|whom)${MAILS}(?: still| else)? (?:needs?|wants?|expects?|(?:is |are )?waits?(?:ing)? for) (?:an answer|a reply|answering|(?:my|an) (?:answer|reply))${TODAY}`,
  `(?:what|which|who|whom)${MAILS} (?:do i(?: still)? (?:have|need) to|should i|must i|have i got to)(?: still)? (?:answer|reply to|write back to|respond to)${TODAY}`,
  `(?:was|wem|welche(?: ${POST})?) (?:muss|soll|sollte) ich${HEUTE} (?:be)?antworten`,
  `(?:was|wer|welche(?: ${POST})?) (?:braucht|brauchen|erwartet|erwarten|will|wollen)${HEUTE} (?:eine|meine) antwort${HEUTE}`,
].map((source) => new RegExp(`^${AROUND}${source}[\\s?.!]*$`, 'iu'))
/** Who wrote what was shown last. */
const WRITER = new RegExp(
  `^${AROUND}(?:who(?:['’]?s| is| was) (?:that|this|he|she|it|they)|who are they|wer (?:ist|war|sind) (?:das|der|die|er|sie|dieser|diese))(?: (?:person|guy|man|woman|mann|frau|denn|eigentlich|überhaupt|again|nochmal|noch mal|exactly|genau|anyway))*[\\s?.!]*$`,
  'iu',
)

/** A time or place of what was talked about last, which a pronoun or its kind alone names. */
const EVENT = '(?:the |that |this |my )?(?:appointment|meeting|event|visit|call|booking)'
const TERMIN = '(?:der |das |dieser |dieses |mein |unser )?(?:termin|treffen|besuch|gespräch|meeting|anruf)'
const SOFT =
  '(?: (?:again|now|exactly|there|then|denn|nochmal|noch mal|noch|jetzt|genau|dort|da|eigentlich|gleich|doch))*'
const WHEN_IT = new RegExp(
  `^${AROUND}(?:(?:when|where|what time|how long|at what time)${SOFT}(?:['’]s| is| was| does| will)${SOFT} (?:${IT}|it|${EVENT})${SOFT}(?: be| start| begin| take| last| take place)?|(?:wann|wo|um wie ?viel uhr|wie lange)${SOFT} (?:ist|war|findet|fand|beginnt|dauert|geht|fängt)${SOFT} (?:${ES}|er|${TERMIN})${SOFT}(?: statt| los| an)?)${SOFT}[s?.!]*$`,
  'iu',
)
/**
 * What a message looks back at; null for any other. `to`: a name of whom it went to, as typed, and empty for
 * a pronoun. `one`: the words that name a row that was shown.
 */
export type Back =
  | {
      readonly at: 'sent'
      readonly to: string | null
      /** What it is about, as typed. */
      readonly about: string | null
      readonly isWhether: boolean
      readonly isOne: boolean
      readonly isTimed: boolean
    }
  | { readonly at: 'shown'; readonly one: string | null }
  | { readonly at: 'event' }
  | { readonly at: 'writer' }
  | { readonly at: 'unanswered' }
  /** Whether that person answered, by the name as typed. */
  | { readonly at: 'heard'; readonly who: string }

export function backIn(text: string): Back | null {
  // What is quoted is asked about, and asks nothing.
  const request = text.trim().replace(/(?<!\S)["“”„«][^"“”„«»]{1,300}["“”»](?![\p{L}\p{N}])/gu, '')
  if (request.length > LONGEST) return null
  const one = [NAMED_ONE, NAMED_GERMAN, ...WHOSE]
    .map((pattern) => pattern.exec(request)?.groups?.['one'])
    .find((found) => found !== undefined)
  if (one !== undefined) return { at: 'shown', one: one.trim() }
  if (UNANSWERED.some((pattern) => pattern.test(request))) return { at: 'unanswered' }
  if (WRITER.test(request)) return { at: 'writer' }
  const who = HEARD.map((pattern) => pattern.exec(request)?.groups?.['who']).find(
    (name) => name !== undefined,
  )
  if (who !== undefined) return { at: 'heard', who }
  if (OF_IT.test(request)) return { at: 'shown', one: null }
  if (WHEN_IT.test(request) || enteredIn(request) === '') return { at: 'event' }
  if (!ASKS.test(request) || ELSE.test(request)) return null
  const gone = GONE.map((pattern) => pattern.exec(request)).find((found) => found !== null)
  if (gone === undefined && !OUR_SENDING.some((pattern) => pattern.test(request))) return null
  const named =
    gone?.groups?.['got'] ??
    [TO, DATIVE, OBJECT].map((one) => one.exec(request)?.groups?.['who']).find((who) => who !== undefined)
  const about = ABOUT.exec(request)?.groups?.['words']?.trim() ?? null
  const isWhether = WHETHER.test(request)
  return {
    at: 'sent',
    to: named === undefined ? null : isPronoun(named) ? '' : named.trim(),
    ...{ about, isWhether },
    isOne: isWhether
      ? gone !== undefined || THE_MAIL.test(request)
      : CONTENT.test(request) && !OF_MANY.test(request),
    isTimed: !NOW.test(request) && !THIS_WEEK.test(request),
  }
}

/** A word that stands for a person, and names none. */
export function isPronoun(word: string): boolean {
  return PRONOUN.test(word.trim())
}
