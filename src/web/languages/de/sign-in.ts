import type { Translation } from '../translation.ts'

export const signIn: Translation['signIn'] = {
  // Signing in
  login: 'E-Mail-Adresse oder Benutzername',
  password: 'Passwort',
  signIn: 'Anmelden',
  or: 'oder',
  signInWith: (provider) => `Mit ${provider} anmelden`,
  forgotPassword: 'Passwort vergessen?',
  askForReset:
    'Bitte einen Admin um einen Link zum Zurücksetzen. Admins erstellen ihn unter „Einstellungen > Mitglieder“ oder auf dem Server mit',
  passkeyElsewhere: 'Die Anmeldung mit Passkey funktioniert unter',
  signInWithPasskey: 'Mit Passkey anmelden',
  noPasskeyUsed: 'Es wurde kein Passkey verwendet. Versuche es erneut oder melde dich mit deinem Passwort an.',
  providerFailed: 'Die Anmeldung ist fehlgeschlagen oder hat zu lange gedauert. Versuche es erneut.',
  notInvited:
    'Dein Anbieter hat deine Identität bestätigt, aber für deine E-Mail-Adresse gibt es hier keine Einladung. Bitte einen Admin, sie einzuladen. Wenn du hier schon ein Passwort hast, melde dich damit an, bevor du die Einladung öffnest.',
  providerUnreachable:
    'Der Anmeldedienst antwortet nicht. Versuche es später noch einmal oder melde dich mit deinem Passwort an.',
  noAccounts: 'recalld einrichten',
  noAccountsAbout: 'Die erste Person registriert sich über einen Einmal-Link.',
  findLink: 'Suche im Terminal, in dem recalld gestartet wurde, die Zeile mit',
  openLink: 'Öffne den Link aus dieser Zeile in diesem Browser.',
  linkExpires: 'Der Link läuft nach 24 Stunden ab. Einen neuen bekommst du mit',

  // One-time links
  oneMoment: 'Einen Moment',
  linkNotChecked: 'Der Link konnte nicht geprüft werden',
  linkExpired: 'Dieser Link ist abgelaufen',
  linkExpiredAbout: 'Jeder Link funktioniert nur einmal und für begrenzte Zeit.',
  linkUsed: 'Hast du ihn schon benutzt? Dann melde dich mit dem Passwort an, das du dabei gewählt hast.',
  linkSent: 'Hast du ihn von jemandem bekommen? Dann bitte um einen neuen.',
  linkOwnServer: 'Ist das dein Server? Mit',
  linkFirst: 'bekommst du einen neuen Link für die Einrichtung, mit',
  linkReset: 'einen Link zum Zurücksetzen des Passworts.',
  goToSignIn: 'Zur Anmeldung',
  newPasswordFor: (login) => `Für ${login}. Du wirst überall sonst abgemeldet.`,
  choosePassword: 'Neues Passwort wählen',
  welcome: 'Willkommen bei recalld',
  welcomeAbout: 'Lege das Admin-Konto dieses Servers an.',
  invited: 'Du bist zu recalld eingeladen',
  joinAccount: (account) => `${account} beitreten`,
  invitedOwnMemory: 'Du bekommst auf diesem Server dein eigenes Gedächtnis.',
  invitedAsOwner:
    'Du bist als Inhaber eingeladen. Du kannst dieses Gedächtnis nutzen und Schlüssel und Personen verwalten.',
  invitedAsMember: 'Du bist als Mitglied eingeladen. Du kannst suchen und Einträge hochladen und löschen.',
  iAmNew: 'Ich bin neu hier',
  iSignInHere: 'Ich habe hier schon ein Konto',
  joinAs: (person) => `Als ${person} beitreten`,
  notNow: 'Jetzt nicht',
  newPassword: 'Neues Passwort',
  setPassword: 'Passwort festlegen und anmelden',
  yourName: 'Dein Name',
  yourNameAbout: 'Wird den anderen Mitgliedern angezeigt.',
  loginToChoose: 'E-Mail-Adresse oder Benutzername',
  signUp: 'Registrieren',
  passwordAbout: (least) =>
    `Mindestens ${least} Zeichen. Gut geeignet sind mehrere Wörter, die du dir leicht merken kannst.`,
}
