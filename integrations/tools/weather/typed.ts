/** Further typed requests about the weather, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'weather.forecast': {
    en: [
      '[the] weather [forecast] [in|for|at] {place} [{when}]',
      '{place} (weather|forecast|temperature) [{when}]',
      '[whats|hows|what is|how is|tell me|show me|check|give me] the (weather|forecast|temperature) [like] [{when}] (in|for|at) {place} [{when}]',
      '(whats|hows|what will) the weather [be] [like] [{when}] in {place} [{when}]',
      '(whats|hows) the weather (doing|looking) [{when}] in {place} [{when}]',
      'forecast [for] {place} [{when}]',
      'temperature (in|at|for) {place} [{when}]',
      '(will it|is it going to|does it|is it) (rain|snow|storm|be sunny|be warm|be cold|raining|snowing|sunny|warm|cold|hot|windy|cloudy) [{when}] in {place} [{when}]',
      '(rain|snow|sun|storm|wind) in {place} [{when}]',
      '(do|will|should) i (need|take|bring|wear|want) (a|an|my) (coat|umbrella|jacket|raincoat|hat|scarf|sunscreen) [{when}] in {place} [{when}]',
      'how (cold|warm|hot|windy|wet) (is it|will it be|is it going to be) [{when}] in {place} [{when}]',
      'is it (raining|snowing|sunny|cold|warm) in {place} [right now|now]',
    ],
    de: [
      '[das] wetter [in|für] {place} [{when}]',
      'wie (ist|wird) das wetter [{when}] in {place} [{when}]',
      '(regnet|schneit|stürmt|gewittert) es [{when}] in {place} [{when}]',
      '(gibt es|kommt|wird es|bleibt es) [{when}] (regen|schnee|gewitter|sonne|trocken|warm|kalt|heiß|glatt) in {place} [{when}]',
      '(wie wird|wie ist|wird|wie sieht) das wetter [{when}] in {place} [{when}] [aus]',
      '(brauch|brauche) ich [{when}] (einen schirm|eine jacke|regenschirm) in {place} [{when}]',
      '{place} (wetter|vorhersage) [{when}]',
      'wettervorhersage [für] {place} [{when}]',
      'wie viel grad (hat|ist|wird) es [{when}] in {place} [{when}]',
      'wie (kalt|warm) (ist|wird) es [{when}] in {place} [{when}]',
    ],
  },
} as const
