/** Forms of verbs and nouns that no ending makes. */
export const SPANISH_FORMS = `ir va voy van vamos iba fui fue, venir viene vienen vengo vino vendrá, tener tuvo tendrá, poner pone pongo puso puesto puesta pondrá, salir sale salgo salió saldrá salida
decir dice digo dijo dirá, traer trae traigo trajo traído, ver ve vio visto vista, dar da doy dio dado dará, saber sé supo sabrá, querer quiere quiero quiso, poder, volver vuelve vuelven volvió vuelto vuelta
empezar empieza empiezo empezó comienzo, comenzar comienza comenzó comienzo, cerrar cierra cierran cerramos cerró cierre, pensar piensa, perder pierde perdió pérdida, encontrar encuentra encontró
costar cuesta cuestan costó coste costo, contar cuenta contó, mostrar muestra, recordar recuerda, dormir duerme durmió, morir muere murió muerto muerte, pedir pide pidió pedido, servir sirve sirvió
seguir sigue siguió, repetir repite, vestir viste, elegir elige eligió elegido elección, conducir conduce condujo, leer lee leyó, oír oye oyó, caer cae cayó caído caída, creer cree, huir huye
romper rompe rompió roto rota rotura, abrir abre abrió abierto abierta, escribir escribe escribió escrito, cubrir cubierto, pagar paga pago pagué pagó pagado, llegar llega llegué llegó llegada
jugar juega jugó juego, tocar toca tocó toqué, buscar busca busqué, sacar saca saqué sacó, operar opera operó operación, reparar repara reparó reparado reparación arreglo, comprar compra compró comprado
vender vende vendió venta, reservar reserva reservó reservado, alquilar alquila alquiló alquiler, entregar entrega entregó, enviar envía envió envío, llamar llama llamó llamada, casarse casa casó boda
vacunar vacuna vacunó, renovar renueva renovó renovación, vencer vence venció vencimiento, cambiar cambia cambió cambio, viajar viaja viajó viaje, trabajar trabaja trabajó trabajo
firmar firma firmo firmó, subir sube subió subida, bajar baja bajó, nacer nace nació nacido nacimiento, medir mide midió, comer come comemos comió comida, cenar cena cenó`

/** Words of everyday life that mean nearly the same. */
export const SPANISH_SYNONYMS = `médico doctor doctora médica, hospital clínica, coche auto carro, bici bicicleta, teléfono móvil celular número, correo mail email, cita turno hora, vacaciones
viaje, boda casamiento, comprar adquirir, pagar abonar, empezar comenzar inicio, terminar acabar fin, madre mamá mama, padre papá papa, abuela yaya, abuelo yayo, trabajo empleo puesto
jefe jefa, medicamento pastilla pastillas medicina, dosis mg, examen prueba control, sueldo salario nómina, seguro póliza, descuento rebaja, comida almuerzo, avería averiado roto estropeado
motivo causa razón, hotel alojamiento, tren ave, avión vuelo, recoger buscar, enviar mandar mandó, llamar telefonear, anular cancelar cancelado, precio coste costo importe tarifa, caro precio
enfermo baja, marido esposo, mujer esposa, amigo amiga, guardería escuela, tele televisión, nevera frigorífico heladera, calefacción caldera, regalo, alquiler renta arriendo
dueño dueña propietario propietaria casero casera, aplazar retrasar posponer cambiar, subida aumento, factura presupuesto, clave contraseña, casa piso, hijo niño, nota calificación
profesor profesora profe, matemáticas mates, caducar vencer vence, contestar responder respuesta, duración dura`
