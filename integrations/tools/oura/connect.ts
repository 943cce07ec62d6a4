/**
 * Instructions for connecting Oura: by signing in with a browser (oauth.ts), or with an older kind of token (L-12; written from
 * Oura's public documentation; not checked against its pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const OURA_CONNECT: ConnectSpec = Object.freeze({
  title: 'Oura',
  where:
    'Say `pfar connect oura` in the terminal of home: your browser signs in to Oura there. Or give me a personal access token that you made before Oura ended them: 32 capital letters and digits.',
  shape: '[A-Z0-9]{32}',
  steps: [
    '1. Stop home, and say `pfar connect oura` in its terminal. It leads through making an application of your own at Oura, and your browser signs in there.',
    '2. With a personal access token that you made before December 2025: give it to me here. Oura makes no new ones.',
    'I ask for sleep, activity, readiness and heart rate, and keep days, at home alone. Without either: have the Oura app write into Apple Health, and read that export in with `pfar health import`.',
  ],
  says: 'get my oura data',
})
