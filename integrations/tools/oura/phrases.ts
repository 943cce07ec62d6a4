/** Phrases that import the ring's days, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

const step = (tool: string) => [{ id: 's1', do: 'tool', tool, args: {} }] as const

export const OURA_PHRASES: Phrases = {
  matter: {
    name: 'health',
    mentions: '\\boura\\b',
    asks: '^(?:get|fetch|read|sync|update|pull|import|load|refresh|hol|hole|lies|lade|aktualisier|aktualisiere|synchronisiere)(?![a-z]).*\\boura\\b',
    but: '\\b(?:e?mails?|inbox|calendar|meetings?|notes?|notion|files?|messages?|remind|reminders?|tasks?|issues?|search|web|page|termine?|kalender|nachrichten?)\\b',
  },
  lists: {
    en: {
      get: words('get / fetch / read in / pull / sync / update / import / load / refresh'),
      days: words('oura data / oura ring / oura days / data from oura / data from my oura ring'),
    },
    de: {
      get: words('hol / hole / lies / lade / aktualisiere / synchronisiere'),
      days: words('oura daten / oura-daten / ouradaten'),
    },
  },
  asks: [
    {
      says: {
        en: ['<get> [my|the] [new|newest|latest] <days>'],
        de: ['<get> [mir] [bitte] (meine|die) [neuen|neuesten] <days> [ein]'],
      },
      plan: step('oura.fetch'),
    },
    {
      says: {
        en: ['<get> [my|the|some] (older|earlier|old) <days>'],
        de: ['<get> [mir] [bitte] (meine|die) (älteren|früheren|alten) <days> [ein]'],
      },
      plan: step('oura.older'),
    },
  ],
}
