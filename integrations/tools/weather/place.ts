/**
 * Pattern of a place in a request for the weather. The words are sent to an external service as typed, so they are few, and words
 * that occur in no place name, such as a verb or "my", are excluded. Must not know places. Called by phrases.ts.
 */
import { words } from '../phrase.ts'

/** Letters as ranges: see message-sentence.ts. */
const LETTER = '[a-z\\u00c0-\\u1fff\\u2c00-\\ud7ff]'
const END = `(?![\\w'’-]|${LETTER})`
/** Maximum number of words after the first. */
const MORE = 3

/** Words that join the parts of a name, "Frankfurt an der Oder", and start none. */
const INNER = words(`
  of / on / upon / in / an / am / im / ob / bei / auf / der / den / dem / vor / under / by / the
`)
/** Words of sentences, which occur in no name. */
const NEVER = words(`
  a / this / that / these / those / about / with / without / for / to / from / into / at / after / before / during
  since / until / than / as / over / through / like / and / or / but / if / because / so / then / also / not / no / dont / never / whether
  my / your / his / her / our / their / its / mine / yours / i / im / ive / you / he / she / it / we / they / me / him / us / them / who / whom
  what / whats / when / where / which / why / how / hows / is / isnt / are / am i / was / were / be / been / being / do / does / did / done
  have / has / had / having / can / could / will / would / shall / should / must / may i / might / wont / cant
  send / tell / show / give / get / got / let / make / made / say / says / said / ask / asks / asked / need / needs / want / wants / know / knows
  think / thinks / feel / feels / feeling / hate / hates / love / loves / likes / talk / talks / talking / mail / email / write / read / remind / forward
  reply / check / look / looks / looking / see / go / going / went / come / comes / put / take / use / book / add / call / find / search / open / play
  set / keep / change / delete / stop / start / help / please / thanks / todays / tomorrows / everyone / everybody / someone / something / anything / all / any / some / every
  weather / forecast / wetter / wettervorhersage / vorhersage
  eine / ein / einen / einem / einer / die / das / des / dieser / diese / dieses / diesem / diesen / mein / meine / meinen / meinem / meiner / dein / deine
  deinen / deinem / deiner / unser / unsere / unserem / unserer / ihr / ihre / ihrem / ihrer / seine / seinem / seiner / euer / eure
  ich / du / er / sie / es / wir / mich / mir / dich / dir / uns / euch / ihn / ihm / ihnen / man / und / oder / aber / wenn / weil / dass / ob das / nicht / kein / keine
  über / wegen / für / mit / ohne / nach / von / vom / zu / zum / zur / bis / seit / aus / wie / was / wer / wo / wann / warum / welche / welcher / welches
  ist / sind / bin / bist / war / waren / sein / hat / habe / hab / haben / hatte / kann / können / muss / soll / will / wird / werden / mag / darf
  schick / schicke / sag / sage / sagt / zeig / zeige / gib / gibt / frag / frage / schreib / schreibe / lies / such / suche / such mir / mach / mache / brauch / brauche
  erinner / erinnere / bitte / danke / jemand / alle / alles / etwas
`).filter((word) => !word.includes(' '))

const WORD = `(?!(?:${NEVER.join('|')})${END})${LETTER}(?:['’-]?${LETTER})*\\.?`

/** Countries and regions that have an article. */
const THE = words(`
  uk / us / usa / netherlands / hague / alps / highlands / lake district / peak district / cotswolds / black forest
  algarve / bahamas / maldives / philippines / bronx
`).join('|')

/**
 * A full stop ends a sentence, and the following words are not part of the name: "Leeds. Archive the …"; but "St. Gallen" is one
 * name.
 */
const GOES_ON = '(?<!(?<!(?<![a-z])(?:st|ste|mt|ft|pt|[a-z]))\\.)'

/** Up to four words without a digit, none of them a sentence word, and none a possessive: "my wife's street". */
export const PLACE = {
  pattern: `(?:the (?=(?:${THE})${END}))?(?!(?:${INNER.join('|')})${END})(?!${LETTER}{1,40}(?:[ ,]{1,2}${LETTER}{1,40}){0,3}['’]s${END})${WORD}(?:${GOES_ON},?\\s${WORD}){0,${MORE}}?`,
  example: 'Lisbon',
  learned: '(?:de[rnm] )?',
} as const

const ENGLISH_SKIES =
  'cold|warm|hot|cool|mild|chilly|freezing|frosty|icy|windy|stormy|wet|dry|rainy|raining|sunny|cloudy|foggy|snowy|snowing|humid|muggy|nice'
/** Weather conditions that people ask about, as a choice of a sentence. */
export const HOW = `(${ENGLISH_SKIES})`
/** Clothing and items for the weather. */
export const WORN =
  '(umbrella|brolly|coat|raincoat|jacket|jumper|sweater|hat|cap|scarf|gloves|boots|wellies|sunscreen|sunglasses)'
