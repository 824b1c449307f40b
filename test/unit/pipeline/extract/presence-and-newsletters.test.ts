import { describe, expect, it } from 'vitest'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { withoutFillers } from '../../../../src/pipeline/extract/speech/spoken-fillers.ts'

describe('chatter', () => {
  it.each([
    'you around later?',
    'hey are you there?',
    'Are you free now?',
    'Bist du noch wach?',
    "t'es dispo ?",
    '¿Estás por ahí?',
    '在吗?',
    'Heyy wie gehts dir?',
    'und selbst?',
    'Sérieux ??',
    'Good plan x',
  ])('asks whether somebody is there: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'Are you free this evening?',
    'Are you free tonight?',
    'Are you home tonight?',
    'Hast du heute Zeit?',
    "t'es dispo ce soir ?",
    '¿Estás en casa hoy?',
    'You around on Saturday?',
    'You free at 6 tonight?',
    'Are you in Berlin now?',
    'Are you home from hospital?',
    'Are you home with the flu?',
    'Are you busy with the thesis?',
    'You in the new flat?',
    'you up for Lisbon?',
    'Are you up to date with your jabs?',
    'Are you free of charge?',
    'you about to leave?',
    'Bist du am Freitag da?',
    'Hast du Zeit für den Umzug?',
    'Hast du Zeit am 3.?',
    '¿Estás en casa el lunes?',
    'Halo ring light is broken',
    'Hi-fi kaputt',
    'Ich habe es selbst repariert',
    'selbst wenn er kommt',
    'Moinuddin rief an',
    'Er hat es selbst gemacht',
    'Ich habe selbst keine',
    'Die Frau selbst ist da',
    "C'est sérieux",
    'Elle est sérieuse',
    'Él va en serio',
  ])('is not what names a day, a place or a thing: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })

  it.each([
    'Abonnieren Sie unseren Newsletter!',
    'Wenn Sie diesen Newsletter nicht mehr erhalten möchten, klicken Sie hier.',
    'If you no longer wish to receive these emails, click here.',
    'Abonnez-vous à notre newsletter !',
    'Si vous ne souhaitez plus recevoir nos offres, cliquez ici.',
    'Suscríbete a nuestro boletín.',
    'Your 120 day streak is in danger!',
    'Your Discover Weekly is here',
  ])('is what newsletters and apps add: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'Sign up for our Spanish class',
    'We joined the mailing list of the club',
    'If you do not want to receive the deposit back, say so',
    'The newsletter is late because Tom is ill',
    'Melden Sie sich für den Kurs an',
    'Ya no quieres recibir la pensión',
    'Vous ne souhaitez plus recevoir la clé par la poste',
    'Das Abo habe ich nicht mehr erhalten',
    'your free day is Monday',
    'Your winning streak ended at the derby',
    'Wir haben den Newsletter nicht mehr bekommen seit März',
    "If you don't want to get this cold, stay away from the kids",
    'Vous ne voulez plus recevoir ce chien à la maison',
    'Join our newsletter team on Tuesday',
    'Subscribe to my newsletter, said Tom, it is about bees',
    '会社のメールマガジンの登録を頼まれた',
    'Notre équipe se réjouit de vous accueillir le 12 mai à 9 h',
    'Your wrapped is ready: two gifts at the counter',
    'Ana quiere darse de baja del gimnasio',
    'Abonnieren Sie unseren Newsletter nicht, sagte Tom',
  ])('is not what a person tells about subscriptions: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })
})

describe('fillers', () => {
  it.each([
    ['Ben stays home.', 'Ben stays home.'],
    ['Ben kommt morgen.', 'Ben kommt morgen.'],
    ['You know the password.', 'You know the password.'],
    ['Bofinger war gut.', 'Bofinger war gut.'],
    ['Ben, je sais pas.', 'Je sais pas.'],
    ["Bof, j'ai perdu mon sac.", "J'ai perdu mon sac."],
    ['You know, we moved.', 'We moved.'],
  ])('%s', (spoken, fluent) => {
    expect(withoutFillers(spoken, false)).toBe(fluent)
  })
})
