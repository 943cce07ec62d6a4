/** A search of the web said plainly, for questions in words that no sentence has. Pure data. Must not plan. Collected by `npm run tables`. */
import { type Forms, READ } from '../form.ts'

export const SEARCH_FORMS: Forms = {
  'web.search': {
    ...{ ...READ, tool: 'web.search', least: 0.65 },
    says: { en: ['search the web for {whole}'], de: ['such im Netz nach {whole}'] },
  },
}
