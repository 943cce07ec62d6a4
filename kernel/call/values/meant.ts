/**
 * Finds the row that words refer to when no row contains them literally, or several do: "Spaziergang Mira"
 * refers to the event "Walk with Mira". Compares whole words and ignores words that occur in any request.
 * Pure. Called by select.ts, and for `choose` by the model without weights.
 */
import { namingWords } from '../../features/memory/telling-words.ts'

/**
 * Words that do not tell one row from another: names of kinds of things and words of questions, in the
 * languages of SHORT in telling-words.ts.
 */
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

/** A question with one of these verbs asks what a text means. Matching words cannot answer that. */
const ASKS_MEANING =
  /(?<!\p{L})(?:names?|mentions?|asks?|needs?|wants?|offers?|says?|tells?|contains?|talks?|speaks?|proposes?|invites?|confirms?|requires?|nennt|erwähnt|fragt|braucht|will|bietet|sagt|enthält|bittet|demande|propose|parle|dit|pide|ofrece|habla|dice)(?!\p{L})/iu

/** Minimum letters of the word that only one row has. Shorter words are rarely names. */
const LEAST_RARE = 3

/** Words of a request that can tell one row from another, in the singular. */
function meaningWords(words: string): readonly string[] {
  return [...tellingApart(words)].filter((word) => !/^\d+$/.test(word))
}

/** The same as a set, digits included. Words such as "the one" are left out, because they occur in any mail. */
export function tellingApart(words: string): ReadonlySet<string> {
  return new Set([...namingWords(words)].filter((word) => !GENERAL.has(word)).map(singular))
}

function hitsOf(rows: readonly string[], words: string): readonly (readonly string[])[] {
  const wanted = meaningWords(words)
  return rows.map((row) => {
    const own = new Set([...namingWords(row)].map(singular))
    return wanted.filter((word) => own.has(word))
  })
}

/** Cuts a plural s, so that "all newsletters" matches rows with the word newsletter. */
export function singular(word: string): string {
  return word.length > 4 ? word.replace(/(?<!s)s$/, '') : word
}

/**
 * Index of the only row that has all words of a question. Null if no row or several have them, or if the
 * question has no such words.
 */
export function onlyWithAll(rows: readonly string[], question: string): number | null {
  const wanted = meaningWords(question)
  if (wanted.length === 0 || ASKS_MEANING.test(question)) return null
  const found = hitsOf(rows, question).flatMap((hits, at) => (hits.length === wanted.length ? [at] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/**
 * Index of the row with at least half of the words, more than any other row, and one word that no other row
 * has. Null if there is none.
 */
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
