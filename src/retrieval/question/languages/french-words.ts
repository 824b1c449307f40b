/** Forms of verbs and nouns that no ending makes. */
export const FRENCH_FORMS = `aller va vais vont allé allée allés irai ira iront, venir vient viens viennent venu venue viendra, revenir revient revenu revenue reviendra, tenir tient tenu tiendra
prendre prend prends prennent pris prise prendra, apprendre apprend appris, comprendre comprend compris, mettre met mets mis mise mettra, promettre promet promis, faire
voir voit vu vue vus verra, savoir sait su saura, boire boit bu, lire lit lu lue lus lira, écrire écrit écrite, vivre vit vécu, recevoir reçoit reçu reçue recevra, devoir
ouvrir ouvre ouvert ouverte ouverture, offrir offre offert offerte, découvrir découvert, souffrir souffre souffert, partir part pars partent parti partie partis départ, sortir sort sorti sortie
dormir dort dormi, servir sert servi, finir finit fini finie fin, choisir choisit choisi choisie choix, réussir réussi, grandir grandi, vendre vend vendu vendue vente, attendre attend attendu
perdre perd perdu perdue perte, rendre rend rendu rendue, répondre répond répondu réponse, descendre descend descendu, conduire conduit, construire construit, cuire cuit cuite
naître né née naissance, mourir mort morte décès, courir court couru, croire croit cru, plaire plaît plu, suivre suit suivi suivie, envoyer envoie envoyé envoi, payer paie payé paye paiement
essayer essaie essayé, appeler appelle appelé appel, acheter achète acheté achat, jeter jette, lever lève levé, commencer commence commencé début, changer change changé changement
livrer livré livraison, commander commandé commande, réparer réparé réparation, réserver réservé réservation, opérer opéré opérée opération, vacciner vacciné vaccin vaccination
résilier résilié résiliation, rembourser remboursé remboursement, augmenter augmenté augmentation, déménager déménagé déménagement, louer loué loyer location, marier marie mariage
inscrire inscrit inscrite inscription, élire élu, craindre craint, peindre peint peinte peinture, éteindre éteint, joindre joint, cheval chevaux, travail travaux, journal journaux, animal animaux`

/** Words of everyday life that mean nearly the same. */
export const FRENCH_SYNONYMS = `médecin docteur généraliste, hôpital clinique chu, voiture auto bagnole, vélo bicyclette, téléphone portable mobile numéro, mail courriel email, rendez-vous rdv
vacances congés, voyage séjour, mariage noces, acheter prendre, livrer arriver arrive, payer régler verser, commencer débuter démarrer début, finir terminer fin, mère maman, père papa
grand-mère mamie mémé, grand-père papi papy pépé, travail boulot emploi poste, patron chef, médicament comprimé traitement, examen contrôle test, salaire paie, assurance mutuelle
remise réduction rabais, repas dîner déjeuner, cassé panne, raison cause, hôtel chambre, train tgv, avion vol, récupérer chercher, envoyer transmettre, appeler téléphoner, annuler annulé
prix tarif coût montant, cher prix, malade arrêt, mari époux, femme épouse, ami copain copine, crèche nourrice, télé télévision, frigo réfrigérateur, chauffage chaudière, cadeau
loyer loyers, propriétaire bailleur, artisan ouvrier, date jour, reporter décaler repousser décalé reporté repoussé, augmentation hausse, facture devis, code mot, maison domicile, enfant gosse`
