/**
 * Which row of a list words mean where no row, or not only one, has them as they stand: "Spaziergang Mira" is the event "Walk with
 * Mira". Whole words alone, without those that any row may have. Pure. Called by select.ts, and by the model without weights for `choose`.
 */
import { namingWords } from '../features/memory/telling-words.ts'

/** Words for the things themselves and for asking, in the languages of SHORT in telling-words.ts: they tell no row from another. */
const GENERAL: ReadonlySet<string> = new Set(
  (
    'appointment appointments call calls contact contacts document documents email emails entry entries event events file files inbox ' +
    'invitation item items list mail mails meeting meetings message messages newest next note notes one ones owner page pages person ' +
    'reminder reminders row task tasks thing things today tomorrow tonight yesterday latest last first recent open new old ' +
    'datei dateien eintrag einladung erinnerung heute gestern morgen nachricht nachrichten neueste letzte nachste erste termin termine ' +
    'treffen aufgabe aufgaben besprechung welche welcher welches welchen anruf kalender ' +
    'courriel courriels evenement fichier message quel quelle quels quelles rendez reunion tache aujourd demain hier dernier derniere ' +
    'avec chez dans sans pour sobre para desde eine einen einem einer mein meine meinen meinem meiner mine nach uber unter ' +
    'archivo correo correos cual cuales cita evento mensaje mensajes reunion tarea hoy manana ayer ultimo ultima'
  ).split(' '),
)

/** A question with one of these asks for what a text says, which its words alone do not tell: any text can have them. */
const ASKS_MEANING =
  /(?<!\p{L})(?:names?|mentions?|asks?|needs?|wants?|offers?|says?|tells?|contains?|talks?|speaks?|proposes?|invites?|confirms?|requires?|nennt|erwähnt|fragt|braucht|will|bietet|sagt|enthält|bittet|demande|propose|parle|dit|pide|ofrece|habla|dice)(?!\p{L})/iu

/** Least letters of a word that only one row has: shorter ones are mostly no names. */
const LEAST_RARE = 3

/** Words by which a row can be told from others. */
function meaningWords(words: string): readonly string[] {
  return [...namingWords(words)].filter((word) => !GENERAL.has(word) && !/^\d+$/.test(word)).map(singular)
}

function hitsOf(rows: readonly string[], words: string): readonly (readonly string[])[] {
  const wanted = meaningWords(words)
  return rows.map((row) => {
    const own = new Set([...namingWords(row)].map(singular))
    return wanted.filter((word) => own.has(word))
  })
}

/** "All newsletters" are those with the word newsletter. */
export function singular(word: string): string {
  return word.length > 4 ? word.replace(/(?<!s)s$/, '') : word
}

/** The only row that has all words of a question; null if none or several have them, or if the words tell nothing. */
export function onlyWithAll(rows: readonly string[], question: string): number | null {
  const wanted = meaningWords(question)
  if (wanted.length === 0 || ASKS_MEANING.test(question)) return null
  const found = hitsOf(rows, question).flatMap((hits, at) => (hits.length === wanted.length ? [at] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The row that has at least half of the words, more than any other, and one that no other row has; null if there is none. */
export function clearlyMost(rows: readonly string[], words: string): number | null {
  const wanted = meaningWords(words)
  const hits = hitsOf(rows, words)
  const most = Math.max(0, ...hits.map((own) => own.length))
  const best = hits.flatMap((own, at) => (own.length === most ? [at] : []))
  const [only, ...more] = best
  if (most === 0 || most * 2 < wanted.length || only === undefined || more.length > 0) return null
  const isRare = (word: string): boolean =>
    word.length >= LEAST_RARE && hits.every((own, at) => at === only || !own.includes(word))
  return hits[only]?.some(isRare) === true ? only : null
}
