// The runner of the Kotlin client: plays the scenarios and writes what came of them.
package chitarrella.conformance

import chitarrella.coroutines.Chitarrella
import com.google.gson.GsonBuilder
import com.google.gson.JsonParser
import io.grpc.TlsChannelCredentials
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.io.File
import java.net.Socket

/** Takes the flags of the conformance run; plays the example of the README, and all scenarios. */
fun main(args: Array<String>) {
    val flags = args.toList().chunked(2).associate { (name, value) -> name.removePrefix("--") to value }

    fun flag(name: String): String = requireNotNull(flags[name]) { "--$name is needed" }

    example(flag("grpc"))
    val stage = Stage({ cut(flag("cut")) }, { secure(flag("tls"), flag("ca")) })
    val scenarios = File(flag("scenarios")).listFiles { file -> file.extension == "json" }.orEmpty().sorted()
    val results =
        scenarios.associate { file ->
            val scenario = JsonParser.parseString(file.readText()).asJsonObject
            val steps = scenario["steps"].asJsonArray.map { it.asJsonObject }
            scenario["name"].asString to
                Chitarrella(flag("grpc")).use { client ->
                    runBlocking { Steps(client, stage).run { steps.map { carryOut(it) } } }
                }
        }
    val json = GsonBuilder().serializeNulls().disableHtmlEscaping().create()
    File(flag("report")).writeText(json.toJson(mapOf("client" to "kotlin", "results" to results)))
}

/** What else a scenario may do: cut all connections, ask over TLS. */
class Stage(val cut: suspend () -> Unit, val secure: () -> Chitarrella)

private suspend fun cut(address: String) =
    withContext(Dispatchers.IO) {
        Socket(address.substringBeforeLast(":"), address.substringAfterLast(":").toInt()).use {
            it.getInputStream().readAllBytes() // closed when everything is cut
        }
        Unit
    }

private fun secure(address: String, ca: String): Chitarrella {
    val credentials = TlsChannelCredentials.newBuilder().trustManager(File(ca)).build()
    return Chitarrella(address, tls = credentials)
}

/** The example of the README, which the build has made a program of. */
private fun example(address: String) {
    val main = Class.forName("ExampleKt").getMethod("main", Array<String>::class.java)
    main.invoke(null, arrayOf(address))
}
