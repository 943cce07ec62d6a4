/** How people ask for a page, and the plan that each sentence stands for. Data alone. Collected by `npm run tables`. */
import type { Phrase } from '../package.ts'

export const WEB_PHRASES: readonly Phrase[] = [
  {
    says: ['read [page] {address}', 'what does {address} say', 'open {address}'],
    plan: [{ id: 's1', do: 'tool', tool: 'web.read', args: { url: '{address}' } }],
  },
]
