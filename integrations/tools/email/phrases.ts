/** How people ask for their mail, and the plan that each sentence stands for. Data alone. Collected by `npm run tables`. */
import type { Phrases } from '../phrase.ts'

export const EMAIL_PHRASES: Phrases = {
  asks: [
    {
      says: {
        en: [
          'check my [new] mail',
          'show [me] my inbox',
          'is there [any] new mail',
          'what is new in my inbox',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.list', args: {} }],
    },
    {
      says: {
        en: [
          ...[
            'how many [unread] mails do I have',
            'how many [unread] emails do I have',
            'how many new mails are there',
          ],
          ...[
            'how much [unread] mail do I have',
            'how many unread messages do I have',
            'count my [unread] mail',
          ],
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'email.count', args: {} }],
    },
  ],
}
