/**
 * Orders in German, French and Spanish (P-27): the verbs that open a request, by the mode of the answer, and courtesy before it.
 * Pure; no pattern nests repetitions. Called by classify.ts, after the English tables.
 */
import type { Mode } from './signal.ts'

/** Courtesy before a request, removed word by word. */
export const FOREIGN_COURTESY =
  /^(?:bitte|hallo|danke|also|und|dann|mal|(?:kannst|könntest|würdest|magst) du(?: mir)?|(?:können|könnten|würden) sie(?: mir)?|bonjour|salut|merci|alors|et|puis|s'il (?:te|vous) pla[iî]t|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|hola|buenos días|gracias|por favor|(?:me )?(?:puedes|podrías|puede|podría)|y|luego)[\s,:!]+(?=\S)/u

/** A language: stems of its verbs, their endings, and common words, one of which a request contains besides its verb. */
interface Tongue {
  readonly verbs: readonly (readonly [Mode, string])[]
  readonly ending: string
  readonly common: string
}

const GERMAN: Tongue = {
  verbs: [
    [
      'analyze',
      '(?:gib|mach|schreib)e? (?:mir |uns )?(?:bitte )?(?:eine[n]? )(?:kurze[n]? )?(?:zusammenfassung|übersicht|überblick)',
    ],
    ['analyze', 'fass|vergleich|bewert|analysier|rechn|berechn|werte'],
    [
      'maintain',
      'verschieb|verleg|streich|lösch|loesch|entfern|archivier|änder|aender|benenn|räum|aktualisier|kürz|verkürz|verlänger|markier|sortier|korrigier|ersetz|stornier',
    ],
    ['build', 'schreib|erstell|entwirf|verfass|übersetz|formulier|entwickl|bereit'],
    ['assist', 'erklär|hilf|beschreib|erläuter'],
    [
      'execute',
      'trag|buch|schick|send|zeig|erinner|merk|such|find|lies|leg|sag|antwort|beantwort|ruf|frag|gib|nenn|notier|speicher|füg|lad|öffn|bestell|kauf|zahl|bezahl|überweis|nimm|stell|setz|schau|sieh|prüf|hol|reservier|informier|leit|schalt|spiel|block|blockier|blocker|mach|plan|nehm|lösch|bestätig|hör|pack|tu',
    ],
  ],
  ending: '(?:e|(?:e?n) sie)?',
  common:
    'der|die|das|den|dem|des|ein|eine|einen|einem|einer|mir|mich|dir|uns|bitte|am|im|um|mit|für|auf|mein\\p{L}*|alle|allen|heute|morgen|übermorgen|vom|von|zum|zur|nach|ab|ihm|ihr|ihn|es|sie|was|wann|dass|noch|zusammen|hinzu|auf|weiter',
}
const FRENCH: Tongue = {
  verbs: [
    [
      'analyze',
      '(?:fais|faites|donne|donnez)(?:-(?:moi|nous))? (?:un |une )(?:bref |petit |courte )?(?:r[ée]sum[ée]|synth[èe]se|bilan)',
    ],
    ['analyze', 'r[ée]sume|compare|analyse|[ée]value|calcule|v[ée]rifie'],
    [
      'maintain',
      'd[ée]place|d[ée]cale|reporte|repousse|supprime|efface|annule|archive|modifie|change|renomme|corrige|nettoie|marque|avance|raccourcis|enl[èe]ve|retire|prolonge',
    ],
    ['build', '[ée]cris|[ée]crive|r[ée]dige|traduis|traduise|pr[ée]pare|cr[ée]e'],
    ['assist', 'explique|aide|d[ée]cris|conseille'],
    [
      'execute',
      'mets|mette|ajoute|r[ée]serve|envoie|envoye|montre|affiche|rappelle|cherche|trouve|lis|lise|r[ée]ponds|r[ée]ponde|dis|dites|donne|note|retiens|enregistre|ouvre|ach[èe]te|commande|paie|paye|invite|inscris|inscrive|programme|planifie|pr[ée]viens|appelle|demande|regarde|bloque|prends|prene|fais|faites|partage|confirme|accepte|refuse|transf[èe]re',
    ],
  ],
  ending: '(?:z)?(?:-\\p{L}{1,5}){0,2}',
  common:
    "le|la|les|un|une|des|du|de|mes|mon|ma|à|au|aux|pour|avec|dans|ce|cet|cette|ces|demain|aujourd'hui|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:\\p{L}+-)?(?:moi|lui|nous|leur)|[ldj]'\\p{L}+",
}
const SPANISH: Tongue = {
  verbs: [
    ['analyze', '(?:haz|dame|hazme|haznos|danos) (?:un |una )(?:breve )?(?:resumen|síntesis)'],
    ['analyze', 'resume|resúme|compara|analiza|evalúa|calcula|revisa'],
    [
      'maintain',
      'mueve|aplaza|pospón|pospon|retrasa|adelanta|borra|bórra|elimina|cancela|archiva|cambia|modifica|renombra|corrige|ordena|marca|quita|actualiza|acorta',
    ],
    ['build', 'escribe|escríbe|redacta|traduce|tradúce|prepara|crea'],
    ['assist', 'explica|explíca|ayuda|ayúda|describe'],
    [
      'execute',
      'pon|añade|anade|agrega|reserva|envía|envia|manda|mánda|muestra|muéstra|enseña|enséña|recuerda|recuérda|busca|encuentra|responde|respónde|contesta|dime|dile|dame|dale|apunta|anota|guarda|abre|compra|pide|paga|invita|programa|agenda|avisa|avísa|llama|pregunta|comprueba|confirma|acepta|rechaza|haz|bloquea|reenvía',
    ],
  ],
  ending: '(?:me|le|les|lo|la|los|las|nos|melo|mela|selo|sela)?',
  common:
    'el|los|las|la|un|una|mi|mis|al|del|de|para|con|en|mañana|hoy|lunes|martes|miércoles|jueves|viernes|sábado|domingo|por|que|esta|este|todos|todas|\\p{L}+(?:me|le|lo|nos)',
}

const TONGUES = [GERMAN, FRENCH, SPANISH].map(({ verbs, ending, common }) => ({
  verbs: verbs.map(
    ([mode, stems]) => [mode, new RegExp(`^(?:${stems})${ending}(?![\\p{L}'])`, 'u')] as const,
  ),
  common: new RegExp(`(?<![\\p{L}'-])(?:${common})(?!\\p{L})`, 'u'),
}))

/** "Bitte eintragen": the verb is at the end, and nothing else marks the order. */
const GERMAN_LAST =
  /(?<!\p{L})bitte [^.!?]{0,60}?\p{L}{2,30}(?:en|ern|eln)[.!]*$|(?<!\p{L})\p{L}{2,30}(?:en|ern|eln),? bitte[.!]*$/u

/** Mode of the order that lower-case words begin; null if they begin none. */
export function foreignOrder(words: string): Mode | null {
  for (const { verbs, common } of TONGUES) {
    const known = verbs.find(([, pattern]) => pattern.test(words))
    if (known !== undefined && common.test(words)) return known[0]
  }
  return GERMAN_LAST.test(words) ? 'execute' : null
}
