/**
 * How the owner gets a token of Oura: pages and boxes, by their names there (L-12; written from Oura's public documentation; not checked against its pages). Data
 * only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const OURA_CONNECT: ConnectSpec = Object.freeze({
  title: 'Oura',
  where:
    'Give me a personal access token of your Oura account (https://cloud.ouraring.com/personal-access-tokens): 32 capital letters and digits.',
  shape: '[A-Z0-9]{32}',
  steps: [
    '1. https://cloud.ouraring.com/personal-access-tokens: a token that you made there before. Oura says that it makes no new ones by now, and that it will end the old ones.',
    '2. Paste it here. It reads all that your ring measured; I ask for sleep, activity, readiness and heart rate, and keep days, at home alone.',
    'Without a token: have the Oura app write into Apple Health, and read that export in with `pfar health import`.',
  ],
  says: 'get my oura data',
})
