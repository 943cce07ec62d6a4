/**
 * Questions that are put to the assistant about itself in a free order of words, each as a plain sentence of an operation: who reads
 * what it is told, what runs and what is set. Pure; must not be bundled for the edge. Called by home.ts and,
 * so that nothing else reads them, by message-at-home.ts.
 */
import type { SaidPlainly } from '../../../kernel/powers/tier-port.ts'

/** UTF-16 units: such questions are short. */
const LONGEST = 100

const whole = (...sources: readonly string[]): RegExp =>
  new RegExp(
    `^(?:(?:and|so|ok|okay|hey|but|wait|also|und|aber|na|sag mal|du)[\\s,]+)*(?:${sources.join('|')})(?:[\\s,]+(?:please|then|again|now|here|actually|exactly|bitte|mal|denn|eigentlich|jetzt|hier|nochmal|noch mal|genau))*[\\s.!?]*$`,
    'iu',
  )

const DATA =
  '(?:my|our|all my|these|the) (?:\\p{L}+ )?(?:data|(?:e-?)?mails?|inbox|calendar|diary|messages?|chats?|notes?|conversations?|files?|contacts?|reminders?|lists?|facts|words|things|stuff|photos|address(?:es)?)'
const SAID =
  '(?:what|anything|everything|things) (?:that )?(?:i (?:write|say|type|tell|ask|send|wrote|said|told)|we (?:write|say|talk about|discuss))(?: (?:to |with )?(?:you|here|in here))*'
const OTHERS =
  "(?:my |our )?(?!(?:i|we|you|he|she|my|the (?:mail|meeting|event)|when|where|what|it)(?!\\p{L}))[\\p{L}][\\p{L}\\p{N}.&’'-]*(?: [\\p{L}\\p{N}.&’'-]+){0,2}?"
const DATEN =
  '(?:meine|unsere|alle meine|die) (?:daten|e-?mails?|mails|post|termine|nachrichten|chats|notizen|gespräche|dateien|kontakte|erinnerungen|listen)|meinen (?:kalender|posteingang)|mein postfach'
const GESAGT =
  ',? ?was (?:ich(?: dir| hier| bei dir)*|wir(?: hier| da| so)*) (?:schreiben?|sagen?|eingebe|erzählen?|tippe|besprechen|reden|bereden|geschrieben habe?)'
const ANDERE =
  '(?!(?:ich|wir|du|er|sie|es)(?!\\p{L}))(?:(?:irgend)?(?:jemand|wer)(?: anders| sonst| anderes)?|andere(?: leute)?|fremde|die|der|das)?(?: ?\\p{L}[\\p{L}\\p{N}.&-]*){0,2}?'

const ASKED: readonly (readonly [RegExp, operation: string, sentence: string])[] = [
  [
    whole(
      `(?:do|does|will|would|can|could|are|did|have) you (?:ever |also |really )?(?:send|sending|pass|passing|give|giving|share|sharing|forward|upload|uploading|sell|selling|leak|show|hand)(?: on| over)? (?:${DATA}|${SAID}) (?:on )?(?:to|with) (?!me(?!\\p{L})|us(?!\\p{L}))\\S.{0,40}?`,
      `(?:do|does|can|could|will|is|are|may) ${OTHERS} (?:ever |also |really |able to |allowed to )*(?:see|read|reads|reading|access|get|get at|look at|look into|listen to|know|use|have access to|train on) (?:${DATA}|${SAID})`,
      `(?:do|does) (?:${DATA}|${SAID}) (?:ever )?(?:go|get sent|get|leave|end up)(?: (?:to|at|with|in|on|off|out of|outside|this|my|the|a|machine|computer|house|home|cloud|anywhere|anyone|anybody|google|server|servers|internet|else|company))+`,
      `(?:is|are) (?:${DATA}|${SAID}) (?:really |kept |being )*(?:private|safe|secret|confidential|secure|encrypted|shared|sent anywhere|stored in the cloud|read by (?:anyone|anybody|others|somebody)(?: else)?)(?: (?:with|from) you)?`,
      `who(?: else)? (?:can |could |may )?(?:sees?|reads?|gets?|knows?) (?:${SAID})`,
      `(?:können?|kann|dürfen|darf|liest|lesen|sieht|sehen|kriegt|bekommt|hört|weiß) ${ANDERE} (?:auch |alles |hier |da |denn )*(?:${DATEN})(?: (?:auch|hier|mit))*(?: (?:sehen|lesen|mitlesen|einsehen|bekommen))?`,
      `(?:können?|kann|liest|lesen|sieht|sehen|hört|dürfen|darf) ${ANDERE}(?: (?:auch|alles|hier|da|denn|das))*(?: (?:mit|mitlesen|sehen|lesen|mithören))?(?:${GESAGT})(?: (?:mitlesen|lesen|sehen))?`,
      `(?:schickst|sendest|gibst|verkaufst|verrätst|zeigst|lädst|leitest|überträgst) du (?:${DATEN}) (?:(?:irgendwie |auch )*(?:an|zu|in|bei|nach) (?!mich(?!\\p{L}))\\S.{0,40}?)?(?: ?(?:weiter|hoch|raus))?`,
      `(?:sind|bleiben|ist|bleibt) (?:${DATEN}|das)(?: (?:hier|bei dir|wirklich|auch|alles))* (?:privat|sicher|geheim|vertraulich|verschlüsselt|unter uns)`,
    ),
    'about.knows',
    'who knows what about me',
  ],
  [
    whole(
      '(?:what|which (?:jobs|things|routines)) (?:did|do|have) you (?:just )?(?:say|said|tell me|told me|mention|mentioned|set up)(?: (?:that|which))? (?:runs?|is running|happens|goes|you do)(?: all)? (?:by (?:itself|yourself)|on its own|on your own|automatically|regularly)',
      'what was it that (?:runs|happens|you do) (?:by (?:itself|yourself)|on (?:its|your) own|automatically|regularly)',
      'was (?:war das|hast du gesagt|sagtest du|läuft),? was (?:alles )?(?:von (?:allein|alleine|selbst)|automatisch|regelmäßig) (?:läuft|passiert)',
    ),
    'jobs.list',
    'what runs by itself',
  ],
  [
    whole(
      '(?:what|how|when) (?:are|were|is) (?:my|the|your) quiet (?:hours|times?)(?: set(?: to)?| like)?',
      '(?:wie|was|wann) (?:sind|waren|ist|lauten|liegen|stehen)(?: (?:denn|noch|meine|die|deine))* (?:ruhezeit(?:en)?|nachtruhe|stille zeit(?:en)?)(?: (?:eingestellt|gesetzt))?',
    ),
    'quiet.show',
    'when are my quiet hours',
  ],
  [
    whole(
      '(?:which|what) (?:of my )?(?:(?:e-?)?mails?|messages) (?:is|are|still|will|do|does|have|has)(?: (?:still|yet|to|be|being|waiting|scheduled|set|queued|planned))* (?:go(?:es|ing)? out|be sent|get sent|sent|go|leave|sending)(?: (?:later|today|tomorrow|still|yet|out|by itself))*',
      '(?:which|what) (?:(?:e-?)?mails?|messages) (?:still )?(?:go(?:es)? out|get sent|leaves?) (?:still |yet )?(?:later|today|tomorrow|tonight)',
      '(?:is|are|do i have|have i got)(?: there)?(?: (?:anything|something|any|some|a|an|one|more|other))*(?: (?:(?:e-?)?mails?|messages?))? (?:still )?(?:waiting|scheduled|queued|set|left|planned) (?:to (?:be sent|go(?: out)?|leave|send)|for sending|for later)',
      '(?:show|list|tell) (?:me )?(?:the |my |all )*(?:(?:e-?)?mails?|messages) (?:that |which )?(?:are |is )?(?:still )?(?:waiting|scheduled|queued|planned)(?: to (?:be sent|go(?: out)?|leave))?',
      '(?:gibt es|habe? ich|sind|ist)(?: noch)? (?:mails?|nachrichten|e-?mails|was|etwas)(?: noch)?,? (?:die |das )?(?:noch )?(?:(?:zu|zum|auf den|aufs) )?(?:wartet|warten|geplant|versendet|verschicken|versand|senden|rausgehen|raus ?gehen|rausgehn?)(?: (?:wird|werden|soll|sollen|sind|ist|muss|müssen))?',
    ),
    'scheduled.list',
    'what is waiting to be sent',
  ],
]

/** The operation that the whole of a question asks for, with a sentence of it; null for any other message. */
export function askedOfSelf(typed: string): SaidPlainly | null {
  const text = typed.trim().replace(/\s+/g, ' ').replaceAll('’', "'")
  if (text.length > LONGEST || /["“”„:;@]/u.test(text)) return null
  for (const [pattern, operation, sentence] of ASKED) if (pattern.test(text)) return { operation, sentence }
  return null
}

const KIND =
  '(?:(?:e-?)?mails?|inbox|calendars?|diary|appointments?|meetings?|reminders?|(?:shopping |to-?do )?lists?|tasks?|notes?|files?|documents?|contacts?|(?:the )?weather|web(?:sites?| pages?)?|termine?|kalender|postfach|erinnerungen|(?:einkaufs)?listen?|aufgaben|notizen|dateien|kontakte|(?:das )?wetter|webseiten)'
const TOO = '(?: (?:too|as well|also|auch|mit))?'
const ABLE = whole(
  `(?:are|r) you (?:also |only |just )?(?:there|here|good|made|meant|responsible|any good|useful) (?:for|with|at) (?:my |the )?${KIND}${TOO}`,
  `(?:can|do|could|will) you (?:also |even )?(?:do|handle|manage|deal with|work with|cope with|understand|support|help(?: me)?(?: out)? with|take care of|look after) (?:my |the )?${KIND}${TOO}`,
  `do you (?:also )?know (?:about|how to (?:do|handle)) ${KIND}${TOO}`,
  `bist du (?:auch |nur )?(?:für|bei) (?:meine |meinen |die |den )?${KIND} (?:auch |mit )?(?:da|zuständig|gut|zu gebrauchen)`,
  `(?:kannst|machst|könntest|verwaltest|verstehst) du (?:auch |mit |bei )*(?:meine |meinen |die |den )?${KIND}(?: auch)?(?: (?:machen|verwalten|bearbeiten|umgehen|helfen))?`,
  `(?:hilfst|kümmerst) du (?:mir |dich )?(?:auch )?(?:bei|mit|um) (?:meine[nmr]? |die |den |dem )?${KIND}(?: auch)?`,
)

/** "Are you there for mails too?": what can be done with such things. */
export function asksOfAbility(typed: string): boolean {
  const text = typed.trim().replace(/\s+/g, ' ')
  return text.length <= LONGEST && ABLE.test(text)
}
