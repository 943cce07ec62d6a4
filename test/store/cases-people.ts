/** Store cases of pairing agreements (B-04). Called by contract.ts. */
import { expect } from 'vitest'
import { createStore } from '../../integrations/store/store.ts'
import type { Agreement } from '../../kernel/task/agreement.ts'
import { type Cases, refOf } from './records.ts'

const AGREEMENT: Agreement = {
  ...{ id: 'a1', templates: ['t'], code: 'c1', state: 'asked', principal: null, sink: null, told: false },
  ...{ createdAt: 5, openUntil: 9, expiresAt: 20 },
}

export const AGREEMENTS: Cases = [
  [
    'gives back an agreement with its newest state and words, oldest first, after a restart too (B-04)',
    (store, db) => {
      store.saveAgreement({ ...AGREEMENT, id: 'a2', createdAt: 7 }, null)
      store.saveAgreement(AGREEMENT, refOf('name'))
      store.saveAgreement(AGREEMENT, refOf('came'))
      const live = { ...AGREEMENT, state: 'live' } as const
      store.saveAgreement(live, null)
      for (const one of [store, createStore(db)]) {
        expect(one.agreements().map(({ agreement }) => [agreement.id, agreement.state])).toEqual([
          ['a1', 'live'],
          ['a2', 'asked'],
        ])
        expect(one.agreements()[0]).toEqual({ agreement: live, who: refOf('came') })
      }
    },
  ],
  [
    'forgets an agreement whose transaction was undone',
    (store) => {
      const undone = () => {
        store.saveAgreement(AGREEMENT, null)
        expect(store.agreements()).toHaveLength(1)
        throw new Error('undone')
      }
      expect(() => store.transaction(undone)).toThrow('undone')
      expect(store.agreements()).toEqual([])
    },
  ],
]
